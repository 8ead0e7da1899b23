"""A case of peers.py in Exudyn: the model of perf/models written for it, one run. Needs Exudyn; started by peers.py.

    python3 exudyn_model.py '{"model": "fall", "size": 1000, "step": 0.01, "steps": 100, "modified": true, ...}'

The last line that it prints is JSON: did it reach the end, where the model's points are then, CPU seconds of the solver, Newton's
iterations. Exudyn's quick build (without checks of ranges, with AVX2) is asked for, one thread, nothing is written.
"""

import json
import sys
import time

sys.exudynFast = True
import exudyn as exu  # noqa: E402
import numpy as np  # noqa: E402
import exudyn.itemInterface as items  # noqa: E402
from exudyn.rigidBodyUtilities import (  # noqa: E402
    AngularVelocity2EulerParameters_t,
    InertiaCuboid,
    RigidBodyInertia,
    RotationMatrix2EulerParameters,
    RotationMatrixX,
    RotationMatrixZ,
)

NODES = {
    "euler-parameters": exu.NodeType.RotationEulerParameters,
    "rotation-vector": exu.NodeType.RotationRotationVector,
}


def build_fall(mbs, request):
    """perf/models/fall.yaml: rods of length and mass 1 joined by spherical joints, along x, gravity along -z."""
    count, width = request["size"], 0.1
    inertia = InertiaCuboid(density=1 / width**2, sideLengths=[1, width, width])
    before = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=mbs.AddObject(items.ObjectGround()), localPosition=[0, 0, 0]))
    bodies = []
    for i in range(count):
        node = NODES[request["node"]]
        body = mbs.CreateRigidBody(inertia=inertia, nodeType=node, referencePosition=[i + 0.5, 0, 0], gravity=[0, 0, -9.81])
        start = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[-0.5, 0, 0]))
        mbs.AddObject(items.SphericalJoint(markerNumbers=[before, start]))
        before = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[0.5, 0, 0]))
        bodies.append(body)
    return {"tip": (bodies[-1], [0.5, 0, 0]), "tenth": (bodies[9], [0, 0, 0])}


def build_cablefix(mbs, request):
    """perf/models/cablefix.yaml: a cable of elements of length 0.1, pinned at 0, gravity along -y."""
    count, length = request["size"], 0.1
    nodes = [mbs.AddNode(items.NodePointSlope1(referenceCoordinates=[length * i, 0, 0, 1, 0, 0])) for i in range(count + 1)]
    cables = []
    for i in range(count):
        cable = items.ObjectANCFCable(length=length, massPerLength=1, bendingStiffness=50, axialStiffness=1e5,
                                      nodeNumbers=[nodes[i], nodes[i + 1]])
        cables.append(mbs.AddObject(cable))
        weight = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=cables[-1]))
        mbs.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=[0, -9.81, 0]))
    ground = mbs.AddNode(items.NodePointGround())
    fixed = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    for i in range(3):
        pinned = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=i))
        mbs.AddObject(items.CoordinateConstraint(markerNumbers=[fixed, pinned]))
    return {"tip": (cables[-1], [length, 0, 0]), "mid": (cables[49], [length, 0, 0])}


def build_beamfix(mbs, request):
    """perf/models/beamfix.yaml: cablefix of geometrically exact beams of two nodes that resist shear and torsion too."""
    count, length = request["size"], 0.1
    section = exu.BeamSection()
    section.stiffnessMatrix = np.diag([1e5, 1e5, 1e5, 50, 50, 50])
    section.inertia = np.diag([2e-3, 1e-3, 1e-3])
    section.massPerLength = 1.0
    kind = {"euler-parameters": (items.NodeRigidBodyEP, [1, 0, 0, 0]), "angles": (items.NodeRigidBodyRxyz, [0, 0, 0])}
    make, turn = kind[request["node"]]
    nodes = [mbs.AddNode(make(referenceCoordinates=[length * i, 0, 0, *turn])) for i in range(count + 1)]
    for i in range(count):
        beam = items.ObjectBeamGeometricallyExact(nodeNumbers=[nodes[i], nodes[i + 1]], length=length, sectionData=section)
        weight = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=mbs.AddObject(beam)))
        mbs.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=[0, -9.81, 0]))
    ground = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=mbs.AddObject(items.ObjectGround())))
    pinned = mbs.AddMarker(items.MarkerNodePosition(nodeNumber=nodes[0]))
    mbs.AddObject(items.SphericalJoint(markerNumbers=[ground, pinned]))
    return {"tip": (nodes[-1], None), "mid": (nodes[50], None)}


def frame_node(mbs, kind, place, angle, speed):
    """A beam's frame at (0, y, z), its axis at `angle` from y towards z, axis 2 against x; it turns about x with `speed`."""
    turned = RotationMatrixX(angle) @ RotationMatrixZ(np.pi / 2)
    velocity = [0, -speed * place[2], speed * place[1]]
    if kind == "angles":
        return mbs.AddNode(items.NodeRigidBodyRxyz(referenceCoordinates=[*place, angle, 0, np.pi / 2],
                                                   initialVelocities=[*velocity, speed, 0, 0]))
    parameters = RotationMatrix2EulerParameters(turned)
    rates = AngularVelocity2EulerParameters_t([speed, 0, 0], parameters)
    return mbs.AddNode(items.NodeRigidBodyEP(referenceCoordinates=[*place, *parameters], initialVelocities=[*velocity, *rates]))


def build_rotor(mbs, request):
    """perf/models/rotor-beams.yaml: a hub on a bearing and three blades of beams of two nodes, turning under their weight."""
    count, length, radius, speed, gravity = request["size"], 60.0, 1.5, 1.2671, [1, 0, -9.81]
    section = exu.BeamSection()
    section.stiffnessMatrix = np.diag([3e10, 5e9, 5e9, 2e8, 8e9, 4e9])
    section.inertia = np.diag([500.0, 400.0, 100.0])
    section.massPerLength = 250.0
    hub = mbs.CreateRigidBody(inertia=RigidBodyInertia(5e4, np.diag([1e5] * 3)), nodeType=NODES["euler-parameters"],
                              initialAngularVelocity=[speed, 0, 0], gravity=gravity)
    ground = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=mbs.AddObject(items.ObjectGround())))
    centre = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=hub))
    mbs.AddObject(items.GenericJoint(markerNumbers=[ground, centre], constrainedAxes=[1, 1, 1, 0, 1, 1]))
    found = {}
    for i in range(3):
        angle = 2 * np.pi * i / 3
        axis = np.array([0, np.cos(angle), np.sin(angle)])
        nodes = [frame_node(mbs, request["node"], axis * (radius + length * k / count), angle, speed) for k in range(count + 1)]
        for k in range(count):
            beam = mbs.AddObject(items.ObjectBeamGeometricallyExact(nodeNumbers=nodes[k : k + 2], length=length / count,
                                                                    sectionData=section))
            weight = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=beam))
            mbs.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=gravity))
        rim = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=hub, localPosition=list(radius * axis)))
        root = mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=nodes[0]))
        turned = RotationMatrixX(angle) @ RotationMatrixZ(np.pi / 2)
        mbs.AddObject(items.GenericJoint(markerNumbers=[rim, root], constrainedAxes=[1] * 6, rotationMarker0=turned))
        found[i] = nodes
    return {"tip": (found[0][-1], None), "mid": (found[1][50], None)}


def settings_of(request):
    """One thread, the sparse solver, generalized-alpha of the same spectral radius as Sinew; no smaller steps than asked for."""
    settings = exu.SimulationSettings()
    stepping = settings.timeIntegration
    stepping.numberOfSteps = request["steps"]
    stepping.endTime = request["steps"] * request["step"]
    stepping.adaptiveStep = False
    stepping.verboseMode = 0
    stepping.generalizedAlpha.spectralRadius = request["spectral_radius"]
    stepping.newton.useModifiedNewton = request["modified"]
    stepping.newton.relativeTolerance = request["tolerance"]
    settings.parallel.numberOfThreads = 1
    settings.linearSolver.solverType = getattr(exu.LinearSolverType, request["solver"])
    settings.solution.file.write = False
    settings.solution.sensors.active = False
    return settings


BUILDERS = {"fall": build_fall, "cablefix": build_cablefix, "beamfix": build_beamfix, "rotor-beams": build_rotor}


def main():
    request = json.loads(sys.argv[1])
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    points = BUILDERS[request["model"]](mbs, request)
    mbs.Assemble()
    solver = exu.MainSolverImplicitSecondOrder()
    start = time.process_time()
    done = request["steps"] == 0 or bool(solver.SolveSystem(mbs, settings_of(request)))
    seconds = time.process_time() - start
    result = {"done": done, "solver_seconds": seconds, "version": exu.__version__}
    if done and request["steps"]:
        result["newton"] = solver.it.newtonStepsCount
        result["jacobians"] = solver.it.newtonJacobiCount
        position = exu.OutputVariableType.Position
        result["points"] = {name: [float(v) for v in (mbs.GetNodeOutput(item, position) if at is None else
                                                      mbs.GetObjectOutputBody(item, position, localPosition=at))]
                            for name, (item, at) in points.items()}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
