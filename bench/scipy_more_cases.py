"""More of what scipy_functions.py measures: designs of filters and systems, distributions and tests, what works on few
numbers, and names that share the code of others. GROUPS as in scipy_cases.py."""

FLOATS = ("float64", "float32")
DOUBLE = ("float64",)


def each(module, names, *arguments):
    return [f"{module}.{name}({a})" for name in names.split() for a in arguments]


def listed(text):
    return [e.strip() for e in text.replace("\n", ";").split(";") if e.strip()]


# Names, shapes of arguments behind the first, and which operand is within the support.
DISTRIBUTIONS = [
    ("alpha dgamma dweibull exponpow fatiguelife fisk foldnorm genextreme gengamma* genhalflogistic genlogistic "
     "gennorm genpareto gompertz halfgennorm invgamma invgauss invweibull johnsonsu* loggamma loglaplace lomax mielke* "
     "nakagami pareto pearson3 powerlaw recipinvgauss rice skewnorm truncexpon tukeylambda weibull_max burr* burr12* "
     "exponweib* betaprime* johnsonsb* exponnorm kappa3 laplace_asymmetric erlang chi powernorm skewcauchy?",
     "p", "1.5"),
    ("anglit arcsine cosine gumbel_l gumbel_r gibrat halfcauchy halflogistic halfnorm hypsecant levy levy_l logistic "
     "maxwell moyal rayleigh semicircular uniform wald", "u", ""),
    ("ncx2 nct? ncf%", "p", "3, 0.4"), ("bradford argus truncpareto% vonmises rdist", "u", "1.5"),
    ("loguniform reciprocal", "u", "0.01, 2"), ("f truncnorm", "u", "1, 3"),
]
DISCRETE = [
    ("bernoulli", "0.3"), ("geom", "0.3"), ("nbinom", "5, 0.4"), ("randint", "2, 15"), ("hypergeom", "30, 9, 12"),
    ("betabinom", "20, 2, 3"), ("dlaplace", "0.8"), ("planck", "0.5"), ("boltzmann", "0.5, 19"), ("logser", "0.6"),
    ("zipf", "2.5"), ("yulesimon", "2.5"), ("nhypergeom", "30, 9, 5"), ("zipfian", "1.5, 20"), ("skellam", "5, 3"),
]
MORE_SHAPES = {"*": ", 2.5", "?": "", "%": ", 2.0"}


def distributions():
    for names, operand, shapes in DISTRIBUTIONS:
        for name in names.split():
            plain = name.rstrip("*?%")
            given = shapes + MORE_SHAPES.get(name[len(plain):], "")
            given = "0.5" if plain == "skewcauchy" else given
            for method in ("pdf", "cdf"):
                yield f"stats.{plain}.{method}({operand}{', ' + given if given else ''})"
            yield f"stats.{plain}.ppf(u{', ' + given if given else ''})"
    for name, shapes in DISCRETE:
        for method in ("pmf", "cdf"):
            yield f"stats.{name}.{method}(k, {shapes})"
        yield f"stats.{name}.ppf(u, {shapes})"


GROUPS = [
    # ---- special functions
    (FLOATS, [*each("special", "eval_legendre eval_chebyt eval_chebyu eval_hermite eval_hermitenorm eval_laguerre",
        "3, u"),
              "special.psi(p)"]),
    (DOUBLE, [*each("special", "jve yve jn hankel2 hankel1e", "q, p"),
        *each("special", "betaincc betainccinv", "p, q, u"),
        *listed("""
        special.comb(k, 3); special.comb(20, 3, exact=True); special.perm(k, 3); special.factorial(k)
        special.factorial2(k); special.factorial(12, exact=True); special.inv_boxcox1p(u, q); special.pdtrc(k, p)
        special.radian(p, q, u)
    """)]),
    # ---- images
    (DOUBLE, listed("""
        ndimage.distance_transform_cdt(mask); ndimage.distance_transform_bf(mask[:24, :24])
        ndimage.generate_binary_structure(2, 1); ndimage.iterate_structure(xp.ones((3, 3), bool), 2)
        ndimage.generic_gradient_magnitude(image, ndimage.sobel)
        ndimage.labeled_comprehension(image, labels, few, xp.mean, float, 0)
    """)),
    # ---- designs
    (DOUBLE, [
        *each("signal", "buttap besselap", "5"), *each("signal", "tf2ss residue residuez normalize freqs", "b, a"),
        *each("signal", "lp2lp_zpk lp2hp_zpk bilinear_zpk", "*zpk, 2.0"),
        *each("signal", "lp2bp_zpk lp2bs_zpk", "*zpk, 2.0, 0.5"), *each("signal", "lp2lp lp2hp bilinear", "b, a, 2.0"),
        *each("signal", "lp2bp lp2bs", "b, a, 2.0, 0.5"),
        *each("signal", "zpk2tf zpk2sos zpk2ss freqz_zpk freqs_zpk", "*zpk"),
        *each("signal", "buttord cheb1ord cheb2ord ellipord", "0.2, 0.3, 1, 40"),
        *each("signal", "iirnotch iirpeak", "0.2, 30"), *each("signal", "bode freqresp step impulse", "system"),
        *each("signal", "dbode dfreqresp dstep dimpulse", "discrete"),
        *listed("""
        signal.cheb1ap(4, 1); signal.cheb2ap(4, 40); signal.ellipap(4, 1, 40); signal.cheby2(4, 40, 0.2)
        signal.bessel(4, 0.2); signal.iirfilter(4, [0.2, 0.3]); signal.iirdesign(0.2, 0.3, 1, 40)
        signal.iircomb(0.25, 30)
        signal.gammatone(0.3, 'iir'); signal.firls(21, [0, 0.3, 0.5, 1], [1, 1, 0, 0])
        signal.remez(21, [0, 0.1, 0.2, 0.5], [1, 0]); signal.minimum_phase(taps); signal.kaiser_atten(21, 0.2)
        signal.kaiser_beta(60.0); signal.kaiserord(60.0, 0.1); signal.check_COLA('hann', 64, 32)
        signal.check_NOLA('hann', 64, 32); signal.sos2zpk(sos); signal.sosfreqz(sos); signal.ss2tf(*state_space)
        signal.ss2zpk(*state_space); signal.cont2discrete(state_space, 0.1); signal.lsim(system, few * 1.0, few * 1.0)
        signal.dlsim(discrete, few * 1.0); signal.unique_roots(few * 1.0); signal.correlation_lags(99, 20)
        signal.invres(b, a, []); signal.place_poles(state_space[0], state_space[1], [-1.0, -2.0]).gain_matrix
        signal.lfiltic(b, a, few[:2] * 1.0); signal.sweep_poly(u, few[:3] * 1.0); signal.envelope(x)
        signal.qspline1d_eval(x, u); signal.argrelmin(x); signal.choose_conv_method(x, taps)
        signal.get_window('hann', 99)
        signal.ZoomFFT(len(x), 0.2)(x); signal.CZT(len(x))(x); signal.czt_points(64)
        short_time.stft(x); short_time.spectrogram(x); short_time.istft(short)
    """)]),
    (DOUBLE, [*each("signal.windows", "barthann blackmanharris lanczos taylor", "len(x)"), *listed("""
        signal.windows.general_cosine(len(x), [0.5, 0.5]); signal.windows.general_gaussian(len(x), 1.5, 9.0)
        signal.windows.kaiser_bessel_derived(len(x), 8.6)
    """)]),
    # ---- interpolation
    (DOUBLE, listed("""
        interpolate.CubicHermiteSpline(knots, values, values); interpolate.InterpolatedUnivariateSpline(knots, values)
        interpolate.LSQUnivariateSpline(knots, values, knots[100:900:100]); interpolate.splder(tck)
        interpolate.splantider(tck); interpolate.KroghInterpolator(knots[:9], values[:9])(u)
        interpolate.barycentric_interpolate(knots[:20], values[:20], u); interpolate.pchip_interpolate(knots, values, u)
        interpolate.griddata(sites, heights, pairs); interpolate.griddata(sites, heights, pairs, method='nearest')
        interpolate.PPoly(cubic.c, cubic.x)(u); interpolate.PPoly.from_spline(tck); cubic.roots(); cubic.solve(0.3)
        interpolate.BSpline(*tck)(u); interpolate.BPoly(cubic.c, cubic.x)(u)
        interpolate.BSpline.basis_element(few[:5] * 1.0)(u)
    """)),
    # ---- points
    (DOUBLE, listed("""
        spatial.tsearch(delaunay, pairs); distance.directed_hausdorff(few_points, more_points)
        distance.is_valid_dm(square_distances); distance.is_valid_y(condensed); distance.num_obs_y(condensed)
        distance.num_obs_dm(square_distances); distance.mahalanobis(few_points[0], more_points[0], xp.eye(16))
    """)),
    # ---- statistics
    (DOUBLE, listed("""
        stats.ncf.sf(p, 10, 12, 300.0); stats.ncf.isf(u, 3, 0.4, 2.0); stats.ncx2.ppf(u, 4, 1000.0)
        stats.ncx2.logpdf(p, 4, 100.0); stats.nct.logpdf(x, 14, 0.24); stats.f.sf(p, 1, 2); stats.f.ppf(u, 1, 2)
        stats.beta.logpdf(u, 300.0, 500.0); stats.beta.cdf(u, 2.31, 0.627); stats.binom.ppf(u, 200, 0.3)
        stats.binom.pmf(k, 200, 0.3); stats.poisson.isf(u, 30.0); stats.nbinom.ppf(u, 200, 0.1)
        stats.hypergeom.cdf(k, 3000, 1000, 60); stats.hypergeom.isf(u, 3000, 1000, 600)
        stats.nchypergeom_fisher.pmf(k, 140, 80, 60, 0.5); stats.jf_skew_t.sf(x, 0.5, 1.0)
    """)),
    (DOUBLE, [*distributions(), *each("stats", "ks_1samp", "x, stats.norm.cdf"),
        *each("stats", "gzscore expectile lmoment kstatvar shapiro tiecorrect obrientransform", "p"),
        *each("stats", "siegelslopes weightedtau chatterjeexi epps_singleton_2samp spearmanrho",
              "x[:200], y[:200]"),
        *each("stats", "alexandergovern median_test", "x, y"), *listed("""
        stats.friedmanchisquare(x, y, p); stats.combine_pvalues(u); stats.false_discovery_control(u)
        stats.fisher_exact(two_by_two); stats.barnard_exact(two_by_two).pvalue; stats.boschloo_exact(two_by_two).pvalue
        stats.chi2_contingency(labels[:4, :4] + 1)
        stats.binomtest(3, 15, 0.1).pvalue; stats.poisson_means_test(3, 10, 5, 12).pvalue; stats.quantile_test(p, q=5)
        stats.anderson(x); stats.cramervonmises(u, 'uniform'); stats.pointbiserialr(u > 0.5, x); stats.probplot(x)
        stats.trim1(p, 0.1); stats.tsem(p); stats.ttest_ind_from_stats(1.0, 2.0, 30, 1.2, 2.1, 25)
        stats.yeojohnson_llf(0.5, x); stats.yeojohnson_normmax(x); stats.page_trend_test(rows[:9, :5])
        stats.binned_statistic_dd([u, v], x, 'mean', 9); stats.directional_stats(rows[:, :3])
        stats.dirichlet.pdf([0.2, 0.3, 0.5], [2.0, 3.0, 4.0]); stats.multinomial.pmf([3, 2, 5], 10, [0.2, 0.3, 0.5])
        stats.multivariate_t.pdf(rows[:, :3], few[:3] * 1.0, df=4)
    """)]),
    # ---- transforms
    (FLOATS, [*each("fft", "hfft2 hfftn ifft2 ifftn ihfft2 ihfftn irfft2 irfftn rfftn ifftshift", "rows"),
              "fft.ifht(x, 0.1, 0.5)", "fft.rfftfreq(len(x))"]),
    # ---- linear algebra
    (DOUBLE, [*each("linalg", "coshm cosm sinm sinhm tanm tanhm signm schur hessenberg polar rq ldl matrix_balance "
                    "issymmetric ishermitian", "M"),
        *each("linalg", "pinvh", "S"), *each("linalg", "pascal invpascal invhilbert", "8"),
        *each("linalg", "solve_continuous_lyapunov solve_discrete_lyapunov", "M, S"), *listed("""
        linalg.fractional_matrix_power(P32, 0.3); linalg.expm_frechet(M, M); linalg.expm_cond(M)
        linalg.solve_sylvester(M, S, M); linalg.solve_toeplitz(c, c); linalg.matmul_toeplitz(c, c)
        linalg.solve_circulant(c, c); linalg.solve_banded((1, 1), bands, few_right)
        linalg.solveh_banded(banded, few_right); linalg.cholesky_banded(low_banded, lower=True)
        linalg.eig_banded(bands[:2]); linalg.eigvals_banded(bands[:2]); linalg.eigh_tridiagonal(bands[1], bands[0, 1:])
        linalg.eigvalsh_tridiagonal(bands[1], bands[0, 1:]); linalg.fiedler_companion(c)
        linalg.diagsvd(c, len(c), len(c))
        linalg.orthogonal_procrustes(M, S); linalg.subspace_angles(tall, tall[::-1]); linalg.qz(M, S)
        linalg.eigh(S, subset_by_index=[0, 1]); linalg.expm_frechet(P32, P32); linalg.norm(few); linalg.norm(M, 1)
        linalg.qr_multiply(A, B.T); linalg.cossin(P32, 8, 8); linalg.funm(M, lambda t: t * t)
        linalg.solve_continuous_are(M, M, S, S); linalg.solve_discrete_are(M, M, S, S)
    """)]),
    (DOUBLE, listed("""
        signal.ZerosPolesGain([0.1], [0.2], 1.0).dt; signal.sepfir2d(M, b, b); signal.findfreqs([1, 0], [1, 8, 25], 9)
        signal.invresz([1.0], [2.0], [])
    """)),
    # ---- sparse matrices
    (FLOATS, listed("""
        sparse.block_array([[sa, None], [None, sa]]); sparse.csr_array(s); sparse.coo_array(s); sparse.dia_array(band)
        sparse.dok_matrix((9, 9)).shape; sparse.lil_matrix((9, 9)).shape; sparse.bsr_array(blocks)
        sparse.diags_array(d)
        sparse.eye_array(len(d)); sparse.random_array((99, 99), density=0.1); sparse.rand(99, 99, 0.1)
        sparse.spdiags(d, 0, len(d), len(d)); sparse.issparse(s); sparse.permute_dims(sa, (1, 0)); sa @ d; sa * sa
        sa[3]; sa[3:9]; sa.sum(axis=0); sa.T; sa.trace(); s.trace()
    """)),
    (DOUBLE, [*[f"sparse.linalg.{n}(lap, ld, maxiter=40)" for n in ("bicg", "lgmres", "gcrotmk", "qmr", "tfqmr")],
        *listed("""
        sparse.linalg.aslinearoperator(lap) @ ld; sparse.linalg.matrix_power(few_s, 3); sparse.linalg.onenormest(lap)
        sparse.linalg.spbandwidth(lap); sparse.linalg.is_sptriangular(lap); sparse.linalg.inv(lap.tocsc())
        sparse.linalg.eigs(lap, 3); sparse.linalg.lobpcg(lap, blocks_of_ld, maxiter=9)
        sparse.csgraph.depth_first_tree(s, 0)
        sparse.csgraph.yen(s, 0, 9, 3)
    """)]),
    # ---- optimisation and integration
    (DOUBLE, listed("""
        optimize.brentq(lambda t: xp.cos(t) - t, 0.0, 2.0)
        optimize.brentq(lambda t: xp.cos(t) - t, 0, 2, full_output=True)[0]
        optimize.fsolve(lambda w: w * w - few, few * 1.0); optimize.root(lambda w: w * w - few, few * 1.0).x
        optimize.check_grad(lambda w: (w * w).sum(), lambda w: 2 * w, few * 1.0); optimize.Bounds(0, 1)
        optimize.differential_evolution(lambda w: float((w[0] - 1) ** 2), [(0, 3)], maxiter=3, rng=1).x
        optimize.minimize(lambda w: ((w - few) ** 2).sum(), few * 0.0, method='SLSQP').x
        optimize.minimize(lambda w: ((w - few) ** 2).sum(), few * 0.0, method='TNC').x
        optimize.minimize(lambda w: ((w - few) ** 2).sum(), few * 0.0, method='trust-constr', options={'maxiter': 5}).x
        integrate.quad(lambda t: t * t, 0.0, 1.0); integrate.dblquad(lambda y, t: t * y, 0, 1, 0, 1)
        integrate.quad(lambda t: xp.exp(-t * t), 0.0, 1.0); integrate.nquad(lambda t, y: t * y, [(0, 1), (0, 2)])
        integrate.quad(lambda t: t, 0.0, 1.0, weight='cos', wvar=3.0); integrate.quad_vec(lambda t: t, 0.0, 1.0)[0]
        integrate.dblquad(lambda y, t: xp.exp(-t * y), 0, 1, 0, 1)
        integrate.tplquad(lambda z, y, t: t * y * z, 0, 1, 0, 1, 0, 1)
        integrate.odeint(lambda y, t: -y, [1.0, 2.0], few * 0.1)
        integrate.odeint(lambda y, t: [y[1], -y[0]], [1.0, 0.0], few * 0.1)
        integrate.ode(lambda t, y: -y).set_integrator('dopri5').set_initial_value(few * 1.0, 0.0).integrate(1.0)
        integrate.complex_ode(lambda t, y: 1j * y).set_initial_value([1.0], 0.0).integrate(1.0)
        integrate.LSODA(lambda t, y: -y, 0, few * 1.0, 1.0).step(); integrate.BDF(lambda t, y: -y, 0, few, 1.0).step()
        integrate.solve_ivp(lambda t, y: -y * y, (0, 1), few.astype('d'), method='Radau').y
        integrate.solve_ivp(lambda t, y: -y * y, (0, 1), few.astype('d'), method='BDF').y
        integrate.solve_ivp(lambda t, y: -y * y, (0, 1), few.astype('d'), method='LSODA').y
    """)),
]

PREPARED = {
    "zpk": "signal.butter(5, 0.2, output='zpk')", "system": "signal.lti([1.0], [1.0, 2.0, 3.0])",
    "discrete": "signal.dlti([1.0], [1.0, -0.5, 0.2])", "state_space": "signal.tf2ss([1.0, 2.0], [1.0, 2.0, 3.0])",
    "short_time": "signal.ShortTimeFFT(xp.ones(64), 32, 1.0)", "short": "short_time.stft(x)",
    "square_distances": "distance.squareform(condensed)", "sa": "sparse.csr_array(s)",
    "bands": "xp.ones((3, 40)) * 1.5", "few_right": "xp.ones(40)",
    "banded": "xp.ones((2, 40)) * xp.array([[1.0], [5.0]])", "low_banded": "banded[::-1]",
    "two_by_two": "xp.array([[8, 2], [1, 5]])", "blocks_of_ld": "xp.stack([ld, ld * ld, xp.sin(ld)], axis=1)",
}
