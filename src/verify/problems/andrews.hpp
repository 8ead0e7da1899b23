/// \file
/// Andrews' squeezing mechanism: seven coupled bodies, six constraints (Schiehlen, Multibody Systems Handbook, 1990; Hairer
/// and Wanner, Solving Ordinary Differential Equations II, VII.7; Test Set for IVP Solvers). Reference values: an
/// independent integration of order 8; at t = .03 it agrees with the published values to the digits these have.
#pragma once

#include "kernels/algebra/dual.hpp"
#include "verify/solution.hpp"

#include <vector>

namespace sinew::verify {

/// y = (beta, Theta, gamma, Phi, delta, Omega, epsilon), 0 <= t <= 0.03.
struct Andrews {
  static constexpr int num_dofs = 7, num_position_rows = 6, num_velocity_rows = 0;

  template <class S>
  void mass(const S& /*t*/, const S* y, S* M) const {
    using math::cos, math::sin;
    const auto at = [M](int i, int j) -> S& { return M[7 * i + j]; };
    const double e4 = e - ea, z6 = zf - fa;
    const S ct = cos(y[1]), sp = sin(y[3]), so = sin(y[5]);
    at(0, 0) = m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * ct + da * da) + I1 + I2;
    at(0, 1) = at(1, 0) = m2 * (da * da - da * rr * ct) + I2;
    at(1, 1) = m2 * da * da + I2;
    at(2, 2) = m3 * (sa * sa + sb * sb) + I3;
    at(3, 3) = m4 * e4 * e4 + I4;
    at(3, 4) = at(4, 3) = m4 * (e4 * e4 + zt * e4 * sp) + I4;
    at(4, 4) = m4 * (zt * zt + 2.0 * zt * e4 * sp + e4 * e4) + m5 * (ta * ta + tb * tb) + I4 + I5;
    at(5, 5) = m6 * z6 * z6 + I6;
    at(5, 6) = at(6, 5) = m6 * (z6 * z6 - u * z6 * so) + I6;
    at(6, 6) = m6 * (z6 * z6 - 2.0 * u * z6 * so + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;
  }

  template <class S>
  void force(const S& /*t*/, const S* y, const S* z, const S* lam, const S* /*psi*/, S* f) const {
    using math::cos, math::sin, math::sqrt;
    const double e4 = e - ea, z6 = zf - fa;
    const S sg = sin(y[2]), cg = cos(y[2]);
    const S dx = sd * cg + sc * sg + (xb - xc), dy = sd * sg - sc * cg + (yb - yc);
    const S length = sqrt(dx * dx + dy * dy), pull = c0 * (l0 - length) / length;
    f[0] = mom - m2 * da * rr * z[1] * (z[1] + 2.0 * z[0]) * sin(y[1]);
    f[1] = m2 * da * rr * z[0] * z[0] * sin(y[1]);
    f[2] = pull * (dx * (sc * cg - sd * sg) + dy * (sd * cg + sc * sg));
    f[3] = m4 * zt * e4 * z[4] * z[4] * cos(y[3]);
    f[4] = -m4 * zt * e4 * z[3] * (z[3] + 2.0 * z[4]) * cos(y[3]);
    f[5] = -m6 * u * z6 * z[6] * z[6] * cos(y[5]);
    f[6] = m6 * u * z6 * z[5] * (z[5] + 2.0 * z[6]) * cos(y[5]);
    add_reactions(y, lam, f);
  }

  template <class S>
  void position(const S& /*t*/, const S* y, S* g) const {
    using math::cos, math::sin;
    const S bt = y[0] + y[1], pd = y[3] + y[4], oe = y[5] + y[6];
    const S x = rr * cos(y[0]) - d * cos(bt), h = rr * sin(y[0]) - d * sin(bt);
    g[0] = x - ss * sin(y[2]) - xb;
    g[1] = h + ss * cos(y[2]) - yb;
    g[2] = x - e * sin(pd) - zt * cos(y[4]) - xa;
    g[3] = h + e * cos(pd) - zt * sin(y[4]) - ya;
    g[4] = x - zf * cos(oe) - u * sin(y[6]) - xa;
    g[5] = h - zf * sin(oe) + u * cos(y[6]) - ya;
  }

  Solution start() const {
    return {0,
            {-0.06171389001427645, 0.0, 0.45527981916307037, 0.22266839016588588, 0.48736497954384256, -0.22266839016588588,
             1.2305474445498212},
            {0, 0, 0, 0, 0, 0, 0},
            {},
            {0, 0, 0, 0, 0, 0}};
  }
  /// The published consistent accelerations and multipliers of the start.
  Solution consistent_start() const {
    Solution s = start();
    s.a = {14222.443919954114, -10666.832939965585, 0, 0, 0, 0, 0};
    s.lambda = {98.56687039624109, -6.122688344255662, 0, 0, 0, 0};
    return s;
  }

  std::vector<Solution> references() const;

 private:
  static constexpr double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706, m7 = .05498;
  static constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7, I7 = 1.912e-5;
  static constexpr double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072, c0 = 4530;
  static constexpr double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, l0 = .07785, ss = .035;
  static constexpr double sa = .01874, sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916, u = .04, ua = .01228;
  static constexpr double ub = .00449, zf = .02, zt = .04, fa = .01421, mom = .033;

  /// f -= G^T lam.
  template <class S>
  void add_reactions(const S* y, const S* lam, S* f) const {
    using math::cos, math::sin;
    const S bt = y[0] + y[1], pd = y[3] + y[4], oe = y[5] + y[6];
    const S along_x = lam[0] + lam[2] + lam[4], along_y = lam[1] + lam[3] + lam[5];
    const S of_bt = d * sin(bt) * along_x - d * cos(bt) * along_y;
    const S of_pd = -e * cos(pd) * lam[2] - e * sin(pd) * lam[3];
    const S of_oe = zf * sin(oe) * lam[4] - zf * cos(oe) * lam[5];
    f[0] -= rr * cos(y[0]) * along_y - rr * sin(y[0]) * along_x + of_bt;
    f[1] -= of_bt;
    f[2] -= -ss * cos(y[2]) * lam[0] - ss * sin(y[2]) * lam[1];
    f[3] -= of_pd;
    f[4] -= of_pd + zt * sin(y[4]) * lam[2] - zt * cos(y[4]) * lam[3];
    f[5] -= of_oe;
    f[6] -= of_oe - u * cos(y[6]) * lam[4] - u * sin(y[6]) * lam[5];
  }
};

inline std::vector<Solution> Andrews::references() const {
  return {
      {0.005,
       {0.2110763859032666, -0.20158717093408013, 0.4491151900115139, 0.21025079793001453, 0.4887437654619351,
        -0.21025079793001458, 1.2258667940349044},
       {151.01070126923423, -110.46733311436863, -6.682659880912363, -13.4271258049323, 1.4785277698396924, 13.427125804932288,
        -5.044979345042529},
       {65664.77085953204, -47384.323067382946, -6369.700819936361, -12725.465427605697, 1374.5423351348168, 12725.465427605686,
        -4745.919106730742},
       {89.97110073790623, 3.2424316296558313, -1.8331656950312452, 1.5084230935746545, -2.743375160387425, -3.9646389856073556}},
      {0.01,
       {2.160113131531526, -1.8833642311070444, 0.15851675800122628, -0.3286410751746702, 0.5251547747977299, 0.32864107517466973,
        1.0684272046323973},
       {711.9231528311042, -786.7700808599398, -136.43819137811968, -240.2930292678644, 4.79154822537107, 240.29302926786426,
        -41.14056696161093},
       {209058.27853254112, -369745.6001716134, -6373.77393584182, -5657.410330994483, -11869.750534558412, 5657.410330994576,
        34721.437501431334},
       {57.02529043750254, 2.9679042462496126, 3.218860385008934, -18.17926986794027, 5.159502718032466, 34.24011729160638}},
      {0.015,
       {5.655429749991775, -5.833796765108818, 0.425891925752375, 0.1640128375726001, 0.4936765269686455, -0.16401283757260052,
        1.2087125419091895},
       {441.70199325524703, -375.35949712887043, 46.63421226488549, 92.0315220882763, -9.50151625591746, -92.03152208827632,
        33.690628623572294},
       {-39300.23441365174, 78575.26528361702, -41077.70749575283, -77904.68012902755, 6779.740923516493, 77904.68012902745,
        -26644.709108078223},
       {67.4858699193843, 7.908003657067961, -9.331000728909652, 7.542770734169701, -15.096443312604201, -22.423198302388265}},
      {0.03,
       {15.810771195153853, -15.756371058412016, 0.04082224011964588, -0.5347301163420763, 0.5244099658799534, 0.5347301163420779,
        1.0480807410419355},
       {1139.9203022591144, -1424.3792951775495, 11.03291191066033, 19.293374105105947, 0.5735699148316125, -19.293374105105432,
        0.323179149250349},
       {-24631.763123033237, 51850.31963670627, 324102.6007075781, 566749.4220009942, 16743.635418343758, -566749.4220009944,
        9826.50780154804},
       {199.1753481045388, -29.755309974981735, 23.066543611622, 31.45272527576805, 22.64249478639434, 11.61739235261542}}};
}

}  // namespace sinew::verify
