// The beam of tet-beam.yaml: second-order tetrahedra, finer with a smaller `size`.
//   gmsh -3 -format msh41 -bin -setnumber size 0.5 tet-beam.geo -o tet-beam.msh
SetFactory("OpenCASCADE");
DefineConstant[ size = 0.5, L = 3, w = 2, h = 1 ];
Box(1) = {0, 0, 0, L, w, h};
e = 1e-4;
root() = Surface In BoundingBox {-e, -e, -e, e, w + e, h + e};
tip() = Surface In BoundingBox {L - e, -e, -e, L + e, w + e, h + e};
Physical Volume("body") = {1};
Physical Surface("root") = {root()};
Physical Surface("tip") = {tip()};
Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
Mesh.ElementOrder = 2;
