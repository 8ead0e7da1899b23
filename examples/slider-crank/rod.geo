// Connecting rod: a bar of 8 mm x 8 mm with an eye at each end, 300 mm between the centres of the eyes.
// Mesh it with:  gmsh -3 rod.geo
L = 0.3;         // between the centres of the eyes
half = 0.004;    // half of the bar's height and of the thickness of all parts
R1 = 0.018;      // big eye, at the origin: outer radius
r1 = 0.010;      //   and bore
R2 = 0.014;      // small eye, at x = L
r2 = 0.007;
size = 0.02;      // of the elements

x1 = Sqrt(R1^2 - half^2);        // where the bar meets the eyes
x2 = L - Sqrt(R2^2 - half^2);

Point(1) = {0, 0, -half, size};
Point(2) = {x1, -half, -half, size};
Point(3) = {x1, half, -half, size};
Point(4) = {0, R1, -half, size};
Point(5) = {-R1, 0, -half, size};
Point(6) = {0, -R1, -half, size};
Circle(1) = {3, 1, 4};
Circle(2) = {4, 1, 5};
Circle(3) = {5, 1, 6};
Circle(4) = {6, 1, 2};

Point(11) = {L, 0, -half, size};
Point(12) = {x2, -half, -half, size};
Point(13) = {x2, half, -half, size};
Point(14) = {L, R2, -half, size};
Point(15) = {L + R2, 0, -half, size};
Point(16) = {L, -R2, -half, size};
Circle(11) = {12, 11, 16};
Circle(12) = {16, 11, 15};
Circle(13) = {15, 11, 14};
Circle(14) = {14, 11, 13};

Point(21) = {L/2, -half, -half, size};
Point(22) = {L/2, half, -half, size};
Line(21) = {2, 21};
Line(22) = {21, 12};
Line(23) = {13, 22};
Line(24) = {22, 3};
Line(25) = {21, 22};

Point(31) = {r1, 0, -half, size};
Point(32) = {0, r1, -half, size};
Point(33) = {-r1, 0, -half, size};
Point(34) = {0, -r1, -half, size};
Circle(31) = {31, 1, 32};
Circle(32) = {32, 1, 33};
Circle(33) = {33, 1, 34};
Circle(34) = {34, 1, 31};

Point(41) = {L + r2, 0, -half, size};
Point(42) = {L, r2, -half, size};
Point(43) = {L - r2, 0, -half, size};
Point(44) = {L, -r2, -half, size};
Circle(41) = {41, 11, 42};
Circle(42) = {42, 11, 43};
Circle(43) = {43, 11, 44};
Circle(44) = {44, 11, 41};

Curve Loop(1) = {1, 2, 3, 4, 21, 25, 24};
Curve Loop(2) = {31, 32, 33, 34};
Curve Loop(3) = {11, 12, 13, 14, 23, -25, 22};
Curve Loop(4) = {41, 42, 43, 44};
Plane Surface(1) = {1, 2};
Plane Surface(2) = {3, 4};

// An extrusion returns the surface on top, the volume, then the sides in the order of the curves above.
big[] = Extrude {0, 0, 2*half} { Surface{1}; Layers{1}; };
small[] = Extrude {0, 0, 2*half} { Surface{2}; Layers{1}; };
Physical Volume("rod") = {big[1], small[1]};
Physical Surface("big_end") = {big[9], big[10], big[11], big[12]};
Physical Surface("small_end") = {small[9], small[10], small[11], small[12]};
Physical Surface("middle") = {big[7]};     // a section across the bar, inside the body

Mesh.ElementOrder = 2;
Mesh.Algorithm = 5;
