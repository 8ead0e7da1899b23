// Forearm of a robot: an aluminium bar of 400 mm x 30 mm x 4 mm, thin in y.
// Mesh it with:  gmsh -3 forearm.geo
L = 0.4;
h = 0.03;
t = 0.004;
size = 0.05;    // of the elements

SetFactory("OpenCASCADE");
Box(1) = {0, -t/2, -h/2, L, t, h};
e = 1e-5;
inner() = Surface In BoundingBox {-e, -h, -h, e, h, h};
outer() = Surface In BoundingBox {L - e, -h, -h, L + e, h, h};
Physical Volume("link") = {1};
Physical Surface("elbow") = {inner()};
Physical Surface("hand") = {outer()};

Mesh.MeshSizeMax = size;
Mesh.ElementOrder = 2;
