"""Random numbers inside user kernels: <curand_kernel.h>, against numbers of cuRAND itself.

On a GPU the header is the toolkit's.
"""
import numpy as np
import pytest

import tombac as xp

# (generator, seed, sequence, offset): six integers; then what the calls of NUMBERS give, in their order.
CUDAS = {
    ("XORWOW", 0, 0, 0): (
        [3179217846, 1883133293, 2220552389, 674260989, 306521119, 1986458431],
        [0.227643266, 0.14406516578192247, -0.927174926, 1.57642365, -0.18590160600548308, -0.12950456466915442,
         5.62267399, 1.72641671, -0.209039018, -0.708184123, -0.5764448003470859, -1.6666374883915756],
    ),
    ("Philox4_32_10", 0, 0, 0): (
        [1713891541, 3781805453, 3159862348, 2600524760, 4175744164, 1555169499],
        [0.693930924, 0.037094080820679665, 2.54409719, -1.18635809, 0.8207807564074285, -1.3899953692428417,
         3.39635611, 1.73427069, -0.345167339, -0.12755166, 0.07222515661144137, 0.4100367453254753],
    ),
    ("MRG32k3a", 0, 0, 0): (
        [545508615, 1368065476, 1327943825, 3546985268, 951893240, 2290915747],
        [0.480774194, 0.35555987952091145, -1.99624109, 0.0734365433, 0.562857400857414, -0.887711332764473,
         5.73686743, 2.84399819, -0.563033938, 0.819377184, 0.3309245590071584, 1.5183148411062757],
    ),
    ("XORWOW", 1234, 0, 0): (
        [624778773, 1867875844, 3739671282, 1954919316, 3681184389, 2501467243],
        [0.201403871, 0.3007717501033446, -0.657692313, -1.25434792, -1.138048303222539, 0.27937271870285163,
         4.07425594, 3.76630497, 0.707208514, 1.15938294, 0.4896838859539323, -0.5266595328001187],
    ),
    ("Philox4_32_10", 1234, 0, 0): (
        [546353992, 3665621163, 1140953199, 3419031310, 2666454581, 482218876],
        [0.977164328, 0.0800607989076525, -0.162294447, 1.65918005, 0.8588441142258092, 0.7149217380303327,
         1.92416227, 4.62124634, -1.10544491, 1.95257342, 0.21417808342498879, 0.0692335611885134],
    ),
    ("MRG32k3a", 1234, 0, 0): (
        [3379073520, 2521876100, 213678209, 1604391373, 2253011095, 4200718073],
        [0.399929374, 0.8010263369452452, -0.216550007, -1.48649585, -0.5180035894259314, -1.1524122140136712,
         5.15018845, 3.38818359, -1.16417181, 0.367392391, -1.2707331806646647, -0.39159837519340523],
    ),
    ("XORWOW", 1234, 1, 0): (
        [3522650202, 3978931785, 2198015705, 2308946676, 3475686971, 75263415],
        [0.449337572, 0.13630766399847177, 0.846454799, 1.11008441, -0.7402163262626705, 0.8245135341322565,
         3.0645864, 2.51181388, 0.316287994, 0.449673951, -1.7493521220028743, 0.9903096758963817],
    ),
    ("Philox4_32_10", 1234, 1, 0): (
        [3507855656, 1392278645, 3354607383, 253049307, 118660703, 1698527859],
        [0.115283117, 0.5273288898169994, 1.80789053, -0.502855241, -0.6346221988635258, 0.7589001215569539,
         3.23886657, 3.57838106, -2.06631684, -1.64473295, 1.3228504747476109, -1.6898338236226187],
    ),
    ("MRG32k3a", 1234, 1, 0): (
        [653317650, 2890950871, 2749090064, 2410030135, 1992398857, 2170368389],
        [0.38535285, 0.0979305222787613, 0.481460541, 2.02595496, 1.555186724868345, -0.6011149840014474,
         1.62166059, 3.16671252, 1.23549867, -0.543360949, 1.8195749297940138, 0.8409868686828885],
    ),
    ("XORWOW", 1234, 5, 7): (
        [3351265907, 3629609298, 415430802, 1173093345, 689711927, 2227153417],
        [0.126060918, 0.1904287413044618, -0.459682643, -1.08721137, 0.47423037477429747, 1.4724405736835309,
         3.40289998, 2.30452633, -0.757434666, 0.465875983, -1.1115456578006897, 1.0388315171216211],
    ),
    ("Philox4_32_10", 1234, 5, 7): (
        [1925342002, 648658203, 3633236749, 143597841, 3521664514, 3248267170],
        [0.219480887, 0.32289216038770974, -0.0460085049, 1.35926187, 1.851623372735377, 0.7320427994017303,
         1.13916242, 1.9105792, -0.36993283, -0.566319585, 0.32294542424999, -1.6679523038778326],
    ),
    ("MRG32k3a", 1234, 5, 7): (
        [2068833513, 469510173, 681930214, 929420860, 3667764238, 2341050593],
        [0.912206352, 0.25469013332162005, 0.827352166, -1.53062832, -0.31623460499105677, -1.0144662757069676,
         2.11540866, 1.95891345, -3.08760238, -1.53061461, -0.4653018103426911, 1.3919761375230393],
    ),
    ("XORWOW", 81985529216486895, 1000003, 12345678901): (
        [1598859622, 508678543, 1630874543, 612047766, 909363599, 2857186765],
        [0.803735375, 0.928251843104158, 0.568347275, 1.48264992, 1.3273109002345187, 0.1934069927801124,
         1.90843546, 1.26097548, -0.6169855, -0.947297633, 0.41474549068341043, -0.6588437897606563],
    ),
    ("Philox4_32_10", 81985529216486895, 1000003, 12345678901): (
        [2031764314, 594488834, 2664602791, 752074661, 756811100, 3674592429],
        [0.259141266, 0.689037743024528, 0.990536332, -0.618429959, 0.37508225252732885, 0.9820979726689563,
         4.66257524, 4.28877306, 1.03421843, -0.314011842, 0.787587745003634, -0.3015797222777017],
    ),
    ("MRG32k3a", 81985529216486895, 1000003, 12345678901): (
        [2289669493, 2068680975, 2416139283, 3381767804, 277236804, 4034144905],
        [0.0507856049, 0.3545894229573173, 0.496451199, 0.170129344, 0.04310076653076625, -0.08400671057286908,
         6.81018782, 3.19915748, -1.98195076, 0.352986276, -0.6652954545717349, 0.7754989663633545],
    ),
    ("XORWOW", 42, 4886718345, 3): (
        [1629737444, 2553257218, 107684271, 3136329444, 2268409211, 3796155377],
        [0.853558838, 0.6220290526060233, -0.291045517, 1.15729105, 1.0898135918851768, 1.2591108991082434,
         4.1665988, 4.38957977, -1.63438523, 0.6780743, -0.9314529235001319, -0.06680135028334307],
    ),
    ("Philox4_32_10", 42, 4886718345, 3): (
        [2453727740, 1116594248, 3877617495, 4075800284, 2770467930, 3819641477],
        [0.53476119, 0.4796301757451147, -0.755445063, 1.35127819, 1.2751290774405277, 0.3611898915669232,
         1.5851016, 2.1181457, -1.00342202, -0.215061605, 1.128548655250249, -0.983330146627616],
    ),
    ("MRG32k3a", 42, 4886718345, 3): (
        [2305612033, 2597464996, 2046892179, 3153796079, 3044772174, 492783198],
        [0.967483461, 0.12257009782296384, 1.10764074, -1.17447126, 0.22272109130519865, 0.14478158775526984,
         3.85206628, 3.13495088, -0.739984632, -1.05470932, 2.227164893471805, 1.7355396423713088],
    ),
    ("XORWOW", 7, 0, 1099511627776): (
        [3987584762, 1437144808, 2688396013, 2825679583, 497701034, 603948681],
        [0.214026406, 0.4474651955909689, -0.110762283, -0.25592339, 2.899578806012771, -0.5934234161782602,
         4.5148983, 6.99551916, 0.0294456817, -0.541370928, -1.6676121031708429, -0.7538696496555343],
    ),
    ("Philox4_32_10", 7, 0, 1099511627776): (
        [2863180068, 3570325046, 1214211951, 3441851769, 3720912570, 2754655179],
        [0.709036946, 0.8837643854785711, -0.034355104, -0.638102353, -0.3576154121900441, -1.8909205246632876,
         3.53856993, 2.62716317, -1.03712392, 0.623274326, -0.8716249247113855, 0.5680228205847895],
    ),
    ("MRG32k3a", 7, 0, 1099511627776): (
        [1496607736, 362527820, 1386185233, 1591802853, 364320591, 856761281],
        [0.74880439, 0.8022156394233622, -1.40948915, -0.741283834, 0.7058560557012619, -1.6030660945629092,
         3.79634047, 2.60135007, -0.990376174, 0.625860274, 0.37312187421156867, 1.3663389261926009],
    ),
}
NUMBERS = """
    out[0] = curand_uniform(&s); out[1] = curand_uniform_double(&s);
    out[2] = curand_normal(&s); out[3] = curand_normal(&s);
    out[4] = curand_normal_double(&s); out[5] = curand_normal_double(&s);
    out[6] = curand_log_normal(&s, 1.f, .5f); out[7] = curand_log_normal(&s, 1.f, .5f);
    float2 p = curand_normal2(&s); out[8] = p.x; out[9] = p.y;
    double2 q = curand_normal2_double(&s); out[10] = q.x; out[11] = q.y;
"""


def compiled(code, name="k"):
    k = xp.RawKernel("#include <curand_kernel.h>\n" + code, name)
    try:
        k.compile()
    except xp.cuda.compiler.CompileException as e:
        if "pip install nvidia" in str(e):
            pytest.skip("cuRAND's headers are not installed")
        raise
    return k


@pytest.mark.parametrize("which", CUDAS, ids=lambda w: "-".join(map(str, w)))
def test_numbers_are_curands(which):
    generator, seed, sequence, offset = which
    k = compiled("""extern "C" __global__ void k(unsigned *i, double *out, unsigned long long seed,
            unsigned long long sequence, unsigned long long offset) {
        curandState%s_t s;
        curand_init(seed, sequence, offset, &s);
        for (int n = 0; n < 6; n++) i[n] = curand(&s);
        %s
    }""" % (generator, NUMBERS))
    integers, numbers = xp.zeros(6, "u4"), xp.zeros(12)
    k((1,), (1,), (integers, numbers, np.uint64(seed), np.uint64(sequence), np.uint64(offset)))
    expected, rest = CUDAS[which]
    assert integers.get().tolist() == expected
    got = numbers.get()
    assert got[:2].tolist() == [np.float32(rest[0]), rest[1]]
    np.testing.assert_allclose(got[2:], rest[2:], rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("generator", ["XORWOW", "Philox4_32_10", "MRG32k3a"])
def test_skipping_ahead_is_drawing(generator):
    k = compiled("""extern "C" __global__ void k(unsigned *out) {
        curandState%s_t a, b;
        curand_init(5, 0, 0, &a);
        for (unsigned i = 0; i < threadIdx.x; i++) curand(&a);
        curand_init(5, 0, threadIdx.x, &b);
        out[threadIdx.x] = curand(&a) - curand(&b);
        curand_init(5, 0, 0, &b);
        skipahead(threadIdx.x + 1ull, &b);
        out[threadIdx.x] += curand(&a) != curand(&b);
    }""" % generator)
    out = xp.ones(40, "u4")
    k((1,), (40,), (out,))
    assert not out.any()


def test_fours_of_philox():
    k = compiled("""extern "C" __global__ void k(float *out) {
        curandStatePhilox4_32_10_t a, b;
        curand_init(1, 2, threadIdx.x, &a);
        b = a;
        float4 u = curand_uniform4(&a);
        out[threadIdx.x] = (u.x == curand_uniform(&b)) + (u.y == curand_uniform(&b)) + (u.z == curand_uniform(&b))
            + (u.w == curand_uniform(&b)) + (curand(&a) == curand(&b));
    }""")
    out = xp.zeros(9, "f")
    k((1,), (9,), (out,))
    assert (out.get() == 5).all()


def test_states_between_launches():
    init = compiled("""extern "C" __global__ void k(curandState *s) {
        curand_init(1234, blockIdx.x * blockDim.x + threadIdx.x, 0, s + blockIdx.x * blockDim.x + threadIdx.x);
    }""")
    draw = compiled("""extern "C" __global__ void k(curandState *s, double *sums, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        curandState mine = s[i];
        double u = 0, z = 0, zz = 0;
        for (int k = 0; k < n; k++) {
            double v = curand_normal(&mine);
            u += curand_uniform(&mine), z += v, zz += v * v;
        }
        s[i] = mine;
        sums[i] += u, sums[256 + i] += z, sums[512 + i] += zz;
    }""")
    states, sums = xp.zeros(256 * 48, "u1"), xp.zeros(768)
    init((4,), (64,), (states,))
    for _ in range(4):
        draw((4,), (64,), (states, sums, np.int32(100)))
    u, z, zz = sums.get().reshape(3, 256).sum(1) / (256 * 400)
    assert abs(u - 0.5) < 0.005 and abs(z) < 0.02 and abs(zz - 1) < 0.03
    assert len(set(sums.get()[:256])) == 256


@pytest.mark.parametrize("generator", ["XORWOW", "Philox4_32_10", "MRG32k3a"])
@pytest.mark.parametrize("mean", [0.0, 0.3, 4.0, 9.9, 10.0, 37.5, 500.0, 9000.0])
def test_poisson(generator, mean):
    k = compiled("""extern "C" __global__ void k(unsigned *out, double mean, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        curandState%s_t s;
        curand_init(99, i, 0, &s);
        for (int k = 0; k < n; k++) out[i * n + k] = curand_poisson(&s, mean);
    }""" % generator)
    out = xp.zeros(256 * 200, "u4")
    k((4,), (64,), (out, np.float64(mean), np.int32(200)))
    got = out.get().astype(float)
    deviation = np.sqrt(mean / got.size) + 1e-12
    assert abs(got.mean() - mean) < 5 * deviation
    assert abs(got.var() - mean) < 5 * deviation * np.sqrt(2 * mean + 1) + 1e-3 * mean
    if 0 < mean < 100:  # the share of each number, and of those above
        from scipy import stats

        top = int(mean + 3 * np.sqrt(mean)) + 1
        seen = np.bincount(np.minimum(got.astype(int), top), minlength=top + 1)
        share = stats.poisson.pmf(np.arange(top + 1), mean)
        share[top] = stats.poisson.sf(top - 1, mean)
        kept = share * got.size > 5
        chi = ((seen - share * got.size)[kept] ** 2 / (share[kept] * got.size)).sum()
        assert stats.chi2.sf(chi, kept.sum() - 1) > 1e-5


def test_fours_of_poisson_and_log_normal_numbers():
    k = compiled("""extern "C" __global__ void k(double *out) {
        curandStatePhilox4_32_10_t s;
        curand_init(1, threadIdx.x, 0, &s);
        uint4 p = curand_poisson4(&s, 20.0);
        double4 v = curand_log_normal4_double(&s, 0.5, 0.25);
        double *mine = out + 8 * threadIdx.x;
        mine[0] = p.x, mine[1] = p.y, mine[2] = p.z, mine[3] = p.w;
        mine[4] = log(v.x), mine[5] = log(v.y), mine[6] = log(v.z), mine[7] = log(v.w);
    }""")
    out = xp.zeros((1024, 8))
    k((1,), (1024,), (out,))
    poisson, normal = out.get()[:, :4], out.get()[:, 4:]
    np.testing.assert_allclose(poisson.mean(0), 20, atol=5 * np.sqrt(20 / 1024))
    np.testing.assert_allclose(normal.mean(0), 0.5, atol=5 * 0.25 / 32)
    np.testing.assert_allclose(normal.std(0), 0.25, rtol=0.15)
    assert abs(np.corrcoef(out.get().T) - np.eye(8)).max() < 0.16
