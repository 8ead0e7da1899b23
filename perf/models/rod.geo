// The connecting rod of slider-crank-mesh.yaml: second-order tetrahedra, finer with a smaller `size`.
//   gmsh -3 -format msh41 -bin -setnumber size 0.0026 rod.geo -o rod.msh
SetFactory("OpenCASCADE");
DefineConstant[ size = 0.01, L = 0.4, w = 0.02 ];
Box(1) = {0, 0, 0, L, w, w};
e = 1e-4;
big() = Surface In BoundingBox {-e, -e, -e, e, w + e, w + e};
small() = Surface In BoundingBox {L - e, -e, -e, L + e, w + e, w + e};
Physical Volume("body") = {1};
Physical Surface("big_end") = {big()};
Physical Surface("small_end") = {small()};
Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
Mesh.ElementOrder = 2;
