"""What scipy_functions.py measures: expressions over SciPy's modules by their names, `xp` for NumPy, and operands.

OPERANDS are made on the host, for a number of elements and a dtype of floats; PREPARED are objects that each library
makes of them before the clock runs. A group has dtypes, and expressions.
"""

import numpy as np
import scipy.sparse
import scipy_more_cases
from scipy_more_cases import DOUBLE, FLOATS, each, listed

ORDERS = "yn(2, p) bdtr(k, 20, u) bdtrc(k, 20, u) bdtri(k, 20, u) nbdtr(k, 5, u) nbdtrc(k, 5, u) nbdtri(k, 5, u)"
METRICS = ("euclidean sqeuclidean cityblock chebyshev cosine correlation hamming braycurtis canberra jensenshannon "
           "minkowski seuclidean").split()
BOOLEAN = "dice jaccard rogerstanimoto russellrao sokalsneath yule".split()

GROUPS = [
    # ---- special functions
    (FLOATS, [
        *each("special", "gamma gammaln digamma rgamma loggamma erf erfc erfcx j0 j1 y0 y1 i0 i0e i1 i1e k0 k0e k1 k1e "
              "exp1 expi expit log_expit ndtr log_ndtr cbrt exp2 exp10 expm1 log1p cosm1 sinc exprel lambertw shichi "
              "sici entr zetac gammasgn cosdg sindg tandg cotdg", "p"),
        *each("special", "erfinv erfcinv ndtri logit ellipk ellipe ellipkm1", "u"),
        *each("special", "erf expit ndtr log_ndtr gamma digamma gammaln j0 i0", "x")]),
    (DOUBLE, [
        *each("special", "beta betaln gammainc gammaincc xlogy xlog1py rel_entr kl_div poch binom zeta huber "
              "pseudo_huber chdtr chdtrc pdtr", "p, q"),
        *each("special", "gammaincinv gammainccinv chdtri boxcox boxcox1p inv_boxcox ellipj ellipkinc ellipeinc",
              "q, u"),
        *each("special", "betainc betaincinv fdtr fdtri", "p, q, u"),
        *each("special", "gdtr gdtrc fdtrc", "p, q, p"),
        *[f"special.{e}" for e in ORDERS.replace(", ", ",").split()],
        *listed("""
        special.expn(3, p); special.polygamma(2, p); special.spherical_yn(3, p); special.sph_harm_y(3, 2, u, p)
        special.lpmv(2, 5, u); special.wright_bessel(0.5, 1, u); special.multigammaln(p, 1); special.pdtri(3, u)
        special.digamma(-p - 0.3); special.gamma(-p - 0.3); special.jv(q, p); special.yv(q, p); special.iv(q, p)
        special.kv(q, p); special.ive(q, p); special.kve(q, p); special.jv(10 * q, 10 * p); special.yv(10 * q, 10 * p)
        special.jv(-q, p); special.kn(3, p); special.hankel1(q, p); special.hankel2e(q, p); special.airy(x)
        special.airye(x)
        special.loggamma(z); special.lambertw(z); special.digamma(z); special.gamma(z);
        special.logsumexp(x); special.logsumexp(rows, axis=1); special.softmax(rows, axis=1)
        special.log_softmax(rows, axis=1)
    """)]),
    # ---- images
    (FLOATS, [
        *each("ndimage", "gaussian_filter", "image, 1", "image, 3", "image, 3, mode='wrap'"),
        *each("ndimage", "uniform_filter median_filter maximum_filter minimum_filter", "image, 3", "image, 5",
              "image, 9", "image, 5, mode='constant'"),
        *each("ndimage", "sobel prewitt laplace", "image", "image, mode='nearest'"),
        *each("ndimage", "convolve correlate", "image, kernel3", "image, kernel7", "image, kernel3, mode='constant'"),
        *each("ndimage", "convolve1d correlate1d", "image, taps", "image, taps, axis=0"),
        *each("ndimage", "grey_erosion grey_dilation grey_opening grey_closing morphological_gradient white_tophat "
              "black_tophat morphological_laplace", "image, size=(5, 5)"),
        *each("ndimage", "zoom", "image, 1.5, order=1", "image, 0.7, order=3", "image, 2, order=0"),
        *each("ndimage", "rotate", "image, 30, order=1", "image, 30, order=3", "image, 30, order=1, reshape=False"),
        *each("ndimage", "shift", "image, 0.5, order=1", "image, 0.5, order=3", "image, (3, 2), order=0"),
        *each("ndimage", "spline_filter spline_filter1d", "image"),
        *listed("""
        ndimage.gaussian_filter1d(image, 2); ndimage.uniform_filter1d(image, 7); ndimage.maximum_filter1d(image, 7)
        ndimage.minimum_filter1d(image, 7, axis=0); ndimage.gaussian_laplace(image, 2)
        ndimage.gaussian_gradient_magnitude(image, 2); ndimage.percentile_filter(image, 30, 5)
        ndimage.rank_filter(image, 3, 5); ndimage.affine_transform(image, turn, order=1)
        ndimage.affine_transform(image, turn, order=3); ndimage.affine_transform(image, turn, order=1, mode='reflect')
        ndimage.map_coordinates(image, places, order=1); ndimage.map_coordinates(image, places, order=3)
        ndimage.gaussian_filter(volume, 1); ndimage.median_filter(volume, 3); ndimage.maximum_filter(volume, 3)
    """)]),
    (DOUBLE, [
        *each("ndimage", "binary_erosion binary_dilation binary_opening binary_closing", "mask", "mask, iterations=3"),
        *each("ndimage", "sum_labels mean variance standard_deviation minimum maximum median minimum_position "
              "maximum_position extrema center_of_mass", "image, labels, few"),
        *each("ndimage", "minimum maximum extrema center_of_mass minimum_position variance", "image"),
        *each("ndimage", "fourier_gaussian fourier_uniform fourier_ellipsoid fourier_shift", "spectrum, 2"),
        *listed("""
        ndimage.binary_fill_holes(mask); ndimage.binary_propagation(mask2, mask=mask); ndimage.label(mask)
        ndimage.binary_hit_or_miss(mask); ndimage.label(noise)
        ndimage.find_objects(labels); ndimage.histogram(image, 0, 1, 20); ndimage.value_indices(labels)
        ndimage.distance_transform_edt(mask); ndimage.distance_transform_edt(noise)
        ndimage.distance_transform_edt(mask, return_indices=True)
    """)]),
    # ---- signals
    (FLOATS, listed("""
        signal.lfilter(taps, one, x); signal.lfilter(b, a, x); signal.lfilter(b, a, image)
        signal.lfilter(b, a, image, axis=0)
        signal.sosfilt(sos, x); signal.sosfiltfilt(sos, x); signal.filtfilt(b, a, x); signal.filtfilt(b, a, image)
        signal.medfilt(x, 7); signal.medfilt2d(image, 5); signal.order_filter(image, domain, 3); signal.wiener(image, 5)
        signal.savgol_filter(x, 11, 3); signal.symiirorder1(x, 1.0, 0.3); signal.symiirorder2(x, 0.5, 0.3)
        signal.convolve(x, taps); signal.convolve(x, taps, method='direct'); signal.fftconvolve(x, long)
        signal.oaconvolve(x, long); signal.convolve2d(image, kernel7); signal.correlate2d(image, kernel3)
        signal.correlate(x, taps); signal.sepfir2d(image, taps, taps); signal.upfirdn(taps, x, 2, 3)
        signal.resample_poly(x, 3, 2); signal.resample_poly(x, 1, 10); signal.decimate(x, 4); signal.resample(x, 1000)
        signal.welch(x); signal.periodogram(x); signal.csd(x, y); signal.coherence(x, y); signal.spectrogram(x)
        signal.stft(x); signal.hilbert(x); signal.hilbert2(image); signal.detrend(x); signal.detrend(x, type='constant')
        signal.find_peaks(x); signal.find_peaks(x, height=2); signal.find_peaks(x, prominence=2)
        signal.argrelmax(x); signal.argrelextrema(x, xp.greater); signal.peak_prominences(x, peaks)
        signal.peak_widths(x, peaks); signal.chirp(u, 1, 1, 9); signal.sawtooth(x); signal.square(x)
        signal.gausspulse(x)
        signal.cspline1d(x); signal.qspline1d(x); signal.cspline2d(image); signal.qspline2d(image)
        signal.spline_filter(image); signal.cspline1d_eval(x, u); signal.gauss_spline(x, 3); signal.czt(x)
        signal.zoom_fft(x, 0.2); signal.deconvolve(x[:4096], taps); signal.vectorstrength(p, 2.0)
    """)),
    (DOUBLE, [*each("signal.windows", "hann hamming blackman bartlett nuttall flattop cosine triang parzen bohman "
                    "boxcar", "len(x)"),
        *listed("""
        signal.istft(stft); signal.freqz(b, a); signal.freqz_sos(sos); signal.group_delay((b, a)); signal.butter(4, 0.2)
        signal.cheby1(4, 1, 0.2); signal.ellip(4, 1, 40, 0.2); signal.firwin(101, 0.2); signal.firwin2(101, grid, grid)
        signal.tf2sos(b, a); signal.sos2tf(sos); signal.lfilter_zi(b, a); signal.sosfilt_zi(sos); signal.tf2zpk(b, a)
        signal.windows.kaiser(len(x), 8.6); signal.windows.tukey(len(x)); signal.windows.gaussian(len(x), 9.0)
        signal.windows.general_hamming(len(x), 0.7); signal.windows.exponential(len(x)); signal.windows.chebwin(64, 60)
        signal.windows.dpss(256, 3); signal.unit_impulse(len(x)); signal.max_len_seq(10)
        signal.lombscargle(p[:1000], x[:1000], grid + 1); signal.savgol_coeffs(11, 3)
    """)]),
    # ---- interpolation
    (DOUBLE, listed("""
        interpolate.CubicSpline(knots, values); interpolate.PchipInterpolator(knots, values)
        interpolate.Akima1DInterpolator(knots, values); interpolate.make_interp_spline(knots, values)
        interpolate.splrep(knots, values); interpolate.splev(u, tck); interpolate.interp1d(knots, values)(u)
        interpolate.interp1d(knots, values, kind='nearest')(u); interpolate.interp1d(knots, values, kind='cubic')(u)
        cubic(u); cubic(u, 1); cubic.derivative(); cubic.antiderivative(); cubic.integrate(0.1, 0.9); pchip(u)
        bspline(u)
        bspline(u, 1); bspline.derivative(); interpolate.UnivariateSpline(knots, values, s=0)
        interpolate.RegularGridInterpolator((grid, grid), table)(pairs)
        interpolate.RegularGridInterpolator((grid, grid), table, method='nearest')(pairs)
        interpolate.RegularGridInterpolator((grid, grid), table, method='cubic')(pairs)
        interpolate.interpn((grid, grid), table, pairs); interpolate.RBFInterpolator(sites, heights)(pairs[:1000])
        interpolate.BarycentricInterpolator(knots[:20], values[:20])(u)
        interpolate.krogh_interpolate(knots[:9], values[:9], u)
        interpolate.LinearNDInterpolator(sites, heights)(pairs)
        interpolate.NearestNDInterpolator(sites, heights)(pairs)
        interpolate.CloughTocher2DInterpolator(sites, heights)(pairs)
        interpolate.make_lsq_spline(u_sorted, u_sorted, t)
        interpolate.make_smoothing_spline(knots[:200], values[:200])
    """)),
    # ---- points
    (FLOATS, [*[f"distance.cdist(few_points, more_points, '{m}')" for m in METRICS],
        *[f"distance.pdist(few_points, '{m}')" for m in METRICS]]),
    (DOUBLE, [*[f"distance.cdist(few_flags, few_flags, '{m}')" for m in BOOLEAN],
        *[f"distance.pdist(few_flags, '{m}')" for m in BOOLEAN],
        *[f"distance.{m}(row, row2)" for m in METRICS if m not in ("seuclidean", "minkowski")], *listed("""
        distance.squareform(condensed); spatial.distance_matrix(few_points, more_points); spatial.KDTree(points)
        tree.query(points[:len(points) // 4]); tree.query(points[:len(points) // 4], k=8)
        tree.query_ball_point(points[:99], 0.05); tree.query_pairs(0.01); tree.count_neighbors(tree, 0.02)
        tree.sparse_distance_matrix(tree, 0.01); spatial.Delaunay(sites)
        delaunay.find_simplex(pairs)
    """)]),
    # ---- statistics
    (DOUBLE, [*each("stats", "zscore entropy gmean hmean describe sem iqr gstd tmean tvar tstd tmin tmax variation",
                    "p"),
        *each("stats",
        "skew kurtosis moment jarque_bera normaltest skewtest kurtosistest median_abs_deviation rankdata "
              "mode circmean circvar circstd cumfreq relfreq boxcox_normmax ecdf differential_entropy kstat", "p"),
        *each("stats", "pearsonr spearmanr ttest_ind ttest_rel ks_2samp mannwhitneyu linregress kendalltau wilcoxon "
              "ranksums f_oneway kruskal levene bartlett fligner mood ansari energy_distance wasserstein_distance "
              "brunnermunzel cramervonmises_2samp", "x, y"),
        *each("stats.norm", "pdf cdf sf logpdf logcdf isf ppf", "u"),
        *[f"stats.{d}.{m}({a})" for d, a in (("gamma", "p, 2.5"), ("beta", "u, 2, 3"), ("t", "x, 5"), ("chi2", "p, 3"),
          ("expon", "p"), ("lognorm", "p, 1"), ("weibull_min", "p, 2"), ("cauchy", "x"), ("laplace", "x"))
          for m in ("pdf", "cdf", "logpdf")],
        *listed("""
        stats.gamma.ppf(u, 2.5); stats.beta.ppf(u, 2, 3); stats.t.ppf(u, 5); stats.poisson.pmf(k, 4)
        stats.binom.pmf(k, 20, 0.3); stats.poisson.cdf(k, 4); stats.binom.cdf(k, 20, 0.3)
        stats.trim_mean(p, 0.1); stats.trimboth(p, 0.1); stats.sigmaclip(p); stats.boxcox(p, 0.5)
        stats.yeojohnson(x, 0.5)
        stats.ttest_1samp(x, 0); stats.kstest(x, 'norm'); stats.percentileofscore(p, 3); stats.scoreatpercentile(p, 30)
        stats.binned_statistic(u, x, 'mean', 50); stats.binned_statistic_2d(u, v, x, 'sum', 20); stats.zmap(x, y)
        stats.chisquare(p, p[::-1]); stats.boxcox_llf(0.5, p); stats.gaussian_kde(x[:1000])(x[:1000])
        stats.multivariate_normal.pdf(rows[:, :3]); stats.zscore(rows, axis=1); stats.skew(rows, axis=1)
        stats.kurtosis(rows, axis=0); stats.rankdata(rows, axis=1); stats.pmean(p, 2); stats.quantile(p, 0.3)
        stats.theilslopes(x[:500], u[:500]); stats.somersd(x[:99], u[:99]); stats.power_divergence(p, p[::-1])
    """)]),
    # ---- transforms
    (FLOATS, [*each("fft", "fft ifft rfft irfft hfft ihfft", "x", "rows"), *each("fft", "fft2 rfft2 fftn", "rows"),
        *[f"fft.{n}({a}, {t})" for n in ("dct", "idct", "dst", "idst") for a in ("x", "rows") for t in (1, 2, 3, 4)],
        *each("fft", "dctn idctn dstn idstn", "rows"), *listed("""
        fft.fft(x, axis=-1, norm='ortho'); fft.fft(cols, axis=0); fft.fftshift(rows); fft.fft(x[:-3])
        fft.fht(x, 0.1, 0.5); fft.next_fast_len(len(x) + 7); fft.fftfreq(len(x))
    """)]),
    # ---- linear algebra
    (FLOATS, [*[f"linalg.{f}" for f in ("inv(A)", "det(A)", "solve(A, B)", "cholesky(P)", "qr(A)", "svd(M)",
        "svdvals(M)", "eigh(S)", "eigvalsh(S)", "lu(A)", "lu_factor(A)", "lu_solve(lu, B)", "cho_factor(P)",
        "cho_solve(cho, B)", "solve_triangular(P, B)", "lstsq(tall, right)", "pinv(M)", "expm(M)", "norm(A)", "eig(M)",
        "eigvals(M)", "null_space(tall)", "orth(M)", "sqrtm(P32)", "logm(P32)", "inv(stack)", "det(stack)",
        "solve(stack, stack)", "cholesky(pstack)", "svd(stack)", "eigh(pstack)", "qr(stack)", "expm(stack)",
        "pinv(stack)", "lu(stack)", "eig(stack)")],
        *[f"linalg.{f}" for f in ("toeplitz(c)", "circulant(c)", "hankel(c)", "block_diag(A, B)", "companion(c)",
          "khatri_rao(A, A)", "hilbert(9)", "hadamard(64)", "dft(64)", "helmert(64)", "fiedler(c)", "leslie(c, c[1:])",
          "convolution_matrix(c, 64)", "bandwidth(A)")]]),
    # ---- sparse matrices
    (FLOATS, listed("""
        s @ d; s @ thin; s.T @ d; csc @ d; s @ s; s + s2; s - s2; s.multiply(s2); s.maximum(s2); s * 2.0; s.power(2)
        abs(s)
        s != s2; s > 0.5; -s; s.copy(); s.sum(); s.sum(axis=0); s.sum(axis=1); s.mean(axis=0); s.max(); s.max(axis=0)
        s.max(axis=1)
        s.argmax(axis=1); s.min(axis=1); s.tocsc(); s.tocoo(); o.tocsr(); o.tocsc(); csc.tocsr(); s.T; s.T.tocsr()
        band.toarray(); s.diagonal(); s[5:-5]; s[:, 5:99]; s[index]; s[:, index]; s[3]; s.getrow(3); s.getcol(3)
        s[3, 4]
        s.multiply(d[:, None]); s.sqrt(); s.expm1(); s.sin(); s.astype('complex128'); s.todia() if len(d) < 999 else 0
        band.tocsr(); band @ d; band.T; sparse.hstack([s, s2]); sparse.vstack([s, s2]); sparse.block_diag([s, s2])
        sparse.bmat([[s, None], [None, s2]]); sparse.kron(few_s, few_s); sparse.kronsum(few_s, few_s); sparse.tril(s)
        sparse.triu(s); sparse.find(s); sparse.eye(len(d)); sparse.identity(len(d)); sparse.diags([d], [0])
        sparse.csr_matrix((o.data, (o.row, o.col))); sparse.coo_matrix(table); sparse.csr_matrix(table); few_s.toarray()
        few_s.todense(); few_s.reshape(-1, 8); s.nonzero(); s.count_nonzero(); s.getnnz(axis=0); s.sum_duplicates()
        dup.tocsr(); dup.toarray() if len(d) < 999 else 0; sparse.random(99, 99, 0.1)
        s > s2; s < s2; s.minimum(s2); csc + csc; o @ d; o @ thin; o.T @ d; o + o; o.max(); o.count_nonzero()
        o.diagonal(); o.nonzero(); abs(o); o.sum(axis=0); o.sum(axis=1); sparse.linalg.norm(o); sparse.linalg.norm(csc)
        blocks @ d; blocks @ thin; blocks.T @ d; blocks @ blocks; blocks + blocks2; blocks * 2.0; blocks != blocks2
        blocks.multiply(blocks2); blocks.T; blocks.diagonal(); blocks.diagonal(1); blocks.trace(); blocks.sum(axis=0)
        blocks.sum(axis=1); blocks.tocsr(); blocks.tocoo(); blocks.max(); blocks.count_nonzero(); blocks.copy()
        sparse.linalg.norm(blocks); s.tobsr((4, 4))
        few_diagonals @ d; few_diagonals @ thin; few_diagonals.T @ d; few_diagonals @ few_diagonals
        few_diagonals + more_diagonals; few_diagonals - few_diagonals; few_diagonals.multiply(more_diagonals)
        few_diagonals * 2.0; few_diagonals.T; few_diagonals.diagonal(); few_diagonals.sum(); few_diagonals.sum(axis=0)
        few_diagonals.sum(axis=1); few_diagonals.mean(); few_diagonals.tocsr(); few_diagonals.tocoo()
        few_diagonals.copy().setdiag(2.0); few_diagonals.nnz; few_diagonals.multiply(d); abs(few_diagonals)
        lil.tocsr() if len(d) < 999 else 0; lil @ d if len(d) < 999 else 0; lil[3]; lil[3, 4]; lil[5:9]; lil[:, 3]
        lil.sum(axis=1) if len(d) < 999 else 0; lil.toarray() if len(d) < 999 else 0; lil.count_nonzero()
        dok.tocsr() if len(d) < 999 else 0; dok @ d if len(d) < 999 else 0; dok[3, 4]; dok.count_nonzero()
    """)),
    (DOUBLE, [*[f"sparse.linalg.{n}(lap, ld, maxiter=40)" for n in ("cg", "cgs", "gmres", "minres", "bicgstab")],
        *listed("""
        sparse.linalg.lsqr(lap, ld, iter_lim=40); sparse.linalg.lsmr(lap, ld, maxiter=40)
        sparse.linalg.spsolve(lap, ld)
        sparse.linalg.spsolve_triangular(lower, ld); sparse.linalg.splu(lap.tocsc()); sparse.linalg.spilu(lap.tocsc())
        sparse.linalg.factorized(lap.tocsc())(ld); sparse.linalg.norm(lap); sparse.linalg.eigsh(lap, 4)
        sparse.linalg.svds(lap, 4); sparse.linalg.expm_multiply(lap * 0.01, ld)
        sparse.csgraph.connected_components(s); sparse.csgraph.dijkstra(s, indices=0)
        sparse.csgraph.dijkstra(s, indices=0, return_predecessors=True); sparse.csgraph.shortest_path(s, indices=0)
        sparse.csgraph.bellman_ford(few_s, indices=0); sparse.csgraph.johnson(few_s, indices=0)
        sparse.csgraph.floyd_warshall(few_s); sparse.csgraph.breadth_first_order(s, 0)
        sparse.csgraph.depth_first_order(s, 0); sparse.csgraph.breadth_first_tree(s, 0)
        sparse.csgraph.minimum_spanning_tree(s); sparse.csgraph.laplacian(s); sparse.csgraph.laplacian(s, normed=True)
        sparse.csgraph.reverse_cuthill_mckee(s); sparse.csgraph.structural_rank(s)
        sparse.csgraph.maximum_bipartite_matching(s); sparse.csgraph.min_weight_full_bipartite_matching(few_s)
        sparse.csgraph.csgraph_to_dense(few_s); sparse.csgraph.csgraph_from_dense(A)
    """)]),
    # ---- optimisation and integration: what calls the user's functions
    (DOUBLE, [
        *each("integrate", "trapezoid cumulative_trapezoid simpson", "x", "rows, axis=0", "x, x=p"),
        *each("integrate", "cumulative_simpson", "x", "rows, axis=0"),
        *[f"integrate.solve_ivp(lambda t, y: -y * y, (0, 1), {state}, method={method!r}).y"
          for state in ("few.astype('d')", "u") for method in ("RK23", "RK45", "DOP853")],
        *[f"optimize.{m}(lambda t: t * t * t - 2, 0.0, 2.0)" for m in "brentq brenth ridder bisect toms748".split()],
        *[f"optimize.minimize(lambda w: ((w - {a}) ** 2 * {a}).sum(), {a} * 0, method={m!r}, "
          f"jac=lambda w: 2 * (w - {a}) * {a}).x" for a in ("few", "u") for m in ("BFGS", "L-BFGS-B", "CG")],
        *listed("""
        integrate.romb(grid); integrate.newton_cotes(4); integrate.fixed_quad(lambda t: xp.exp(t), 0.0, 1.0, n=5)
        integrate.quad_vec(lambda t: xp.exp(u * t), 0.0, 1.0)[0]
        integrate.solve_ivp(lambda t, y: [y[1], -y[0]], (0, 1), [1.0, 0.0]).y
        optimize.newton(lambda t: t * t * t - 2, 1.0); optimize.newton(lambda t: t * t - u, p)
        optimize.root_scalar(lambda t: t * t * t - 2, bracket=(0.0, 2.0)).root
        optimize.minimize_scalar(lambda t: (t - 2) ** 2).x
        optimize.minimize_scalar(lambda t: (t - 2) ** 2, bounds=(0, 3), method='bounded').x
        optimize.minimize(lambda w: ((w - 1) ** 2).sum(), few[:4] * 0.0, method='Nelder-Mead').x
        optimize.minimize(lambda w: ((w - 1) ** 2).sum(), few[:4] * 0.0, method='Powell').x
        optimize.minimize(lambda w: ((w - 1) ** 2).sum(), few * 0.0).x
        optimize.curve_fit(lambda t, a, b: a * t + b, u, p)[0]
        optimize.curve_fit(lambda t, a, b: a * xp.exp(-b * t), u, v, (1.0, 1.0))[0]
        optimize.curve_fit(lambda t, a, b: a * t + b, u, p, bounds=(-9, 9))[0]
        optimize.least_squares(lambda w: w[0] * u + w[1] - v, (0.0, 0.0)).x
        optimize.least_squares(lambda w: w[0] * u + w[1] - v, (0.0, 0.0), method='lm').x
        optimize.least_squares(lambda w: w[0] * u + w[1] - v, (0.1, 0.1), bounds=(0, 1), loss='soft_l1').x
        optimize.approx_fprime(few * 1.0, lambda w: (w * w).sum()); optimize.nnls(xp.abs(A), c)[0]
        optimize.linear_sum_assignment(A)[0]; optimize.linprog(c[:4], A_ub=-A[:3, :4], b_ub=-c[:3]).x
    """)]),
]


# ---- operands --------------------------------------------------------------------------------------------------------


def matrix(random, n, each_row, dtype):
    columns = random.integers(0, n, n * each_row)
    made = scipy.sparse.csr_matrix((random.random(n * each_row).astype(dtype), columns, each_row * np.arange(n + 1)))
    made.resize((n, n))
    made.sum_duplicates()
    return made


def blocks(random, n, dtype):
    pattern = matrix(random, n // 4, 4, dtype)
    data = random.random((pattern.nnz, 4, 4)).astype(dtype)
    return scipy.sparse.bsr_matrix((data, pattern.indices, pattern.indptr), shape=(n, n))


def diagonals(random, n, offsets, dtype):
    return scipy.sparse.dia_matrix((random.random((len(offsets), n)).astype(dtype), offsets), shape=(n, n))


def laplacian(n):
    line = scipy.sparse.diags([2.0, -1.0, -1.0], [0, 1, -1], shape=(n, n))
    return scipy.sparse.kronsum(line, line, format="csr")


def operands(size, dtype):
    """Name: value, or a function that makes it; arrays of floats have the dtype."""
    random = np.random.default_rng(9)
    side, cube, large = int(size**0.5), round(size ** (1 / 3)), size > 1 << 16
    n, rows_of_sparse, m = (384 if large else 32), max(64, size // 16), (128 if large else 16)
    normal, uniform = (lambda *s: random.standard_normal(s)), (lambda *s: random.random(s) * 0.98 + 0.01)
    square = lambda k: normal(k, k) + 4 * k**0.5 * np.eye(k)
    definite = lambda k: (lambda a: a @ a.T / k + np.eye(k))(normal(k, k))
    stack = lambda: normal(size // 1024, 32, 32) / 8 + 4 * np.eye(32)
    grid = np.linspace(0, 1, 33)
    made = {
        "x": lambda: normal(size), "y": lambda: normal(size), "u": lambda: uniform(size), "v": lambda: uniform(size),
        "p": lambda: uniform(size) * 10, "q": lambda: uniform(size) * 5, "k": lambda: random.integers(0, 18, size),
        "z": lambda: normal(size) + 1j * normal(size) + 3, "rows": lambda: normal(size // 64, 64),
        "cols": lambda: normal(64, size // 64), "row": lambda: uniform(size), "row2": lambda: uniform(size),
        "image": lambda: uniform(side, side), "volume": lambda: uniform(cube, cube, cube),
        "kernel3": lambda: uniform(3, 3), "kernel7": lambda: uniform(7, 7), "taps": lambda: uniform(9),
        "long": lambda: uniform(max(65, size // 64)), "one": np.ones(1), "mask": lambda: blobs(random, side),
        "mask2": lambda: blobs(random, side) & (random.random((side, side)) > 0.99),
        "noise": lambda: random.random((side, side)) > 0.4, "labels": lambda: random.integers(0, 100, (side, side)),
        "few": np.arange(1, 20), "spectrum": lambda: normal(side, side) + 1j * normal(side, side),
        "turn": np.array([[0.9, 0.1], [-0.1, 0.9]]), "places": lambda: uniform(2, side, side) * side,
        "domain": np.ones((3, 3)), "b": np.array([0.1, 0.2, 0.1]), "a": np.array([1, -0.5, 0.2]),
        "peaks": lambda: np.arange(5, size - 5, max(8, size // 500)), "grid": grid, "table": lambda: uniform(33, 33),
        "knots": np.linspace(0, 1, 1000), "values": np.sin(9 * np.linspace(0, 1, 1000)),
        "pairs": lambda: uniform(size // 8, 2) * 0.9 + 0.05,
        "sites": lambda: uniform(max(64, min(size // 256, 2000)), 2),
        "u_sorted": lambda: np.sort(uniform(size)), "t": np.r_[[0.0] * 4, np.linspace(0, 1, 12)[1:-1], [1.0] * 4],
        "points": lambda: uniform(size // 8, 3), "few_points": lambda: uniform(side, 16),
        "more_points": lambda: uniform(side, 16), "few_flags": lambda: random.random((side, 64)) > 0.5,
        "condensed": lambda: uniform(side * (side - 1) // 2), "stack": stack,
        "pstack": lambda: (lambda a: a @ a.swapaxes(1, 2))(stack()), "A": lambda: square(n), "B": lambda: normal(n, 8),
        "P": lambda: definite(n), "S": lambda: definite(m), "M": lambda: normal(m, m) / m,
        "tall": lambda: normal(2 * m, m),
        "right": lambda: normal(2 * m), "P32": lambda: definite(32), "c": lambda: uniform(n) + 0.1,
        "s": lambda: matrix(random, rows_of_sparse, 16, dtype), "s2": lambda: matrix(random, rows_of_sparse, 16, dtype),
        "csc": lambda: matrix(random, rows_of_sparse, 16, dtype).tocsc(), "d": lambda: uniform(rows_of_sparse),
        "thin": lambda: uniform(rows_of_sparse, 8),
        "o": lambda: matrix(random, rows_of_sparse, 16, dtype).tocoo(), "few_s": lambda: matrix(random, 64, 4, dtype),
        "band": lambda: scipy.sparse.diags([uniform(1024)] * 3, [-1, 0, 1], shape=(1024, 1024)),
        "blocks": lambda: blocks(random, rows_of_sparse, dtype),
        "blocks2": lambda: blocks(random, rows_of_sparse, dtype),
        "few_diagonals": lambda: diagonals(random, rows_of_sparse, [0, 1, -1, 9, -9], dtype),
        "more_diagonals": lambda: diagonals(random, rows_of_sparse, [0, 1, -1, 7, -7, 30], dtype),
        "lil": lambda: matrix(random, rows_of_sparse, 4, dtype).tolil(),
        "dok": lambda: matrix(random, rows_of_sparse, 4, dtype).todok(),
        "dup": lambda: scipy.sparse.coo_matrix((uniform(size), random.integers(0, rows_of_sparse, (2, size)))),
        "index": lambda: random.integers(0, rows_of_sparse, rows_of_sparse // 2),
        "lap": lambda: laplacian(128 if large else 8), "ld": lambda: uniform((128 if large else 8) ** 2),
        "lower": lambda: scipy.sparse.tril(laplacian(128 if large else 8)).tocsr(),
    }
    return made


def blobs(random, side):
    """Flags in large pieces, without SciPy's own filters."""
    coarse = random.random((side // 8 + 1, side // 8 + 1)) > 0.4
    return np.kron(coarse, np.ones((8, 8), bool))[:side, :side]


GROUPS += scipy_more_cases.GROUPS
PREPARED = {
    **scipy_more_cases.PREPARED,
    "sos": "signal.butter(6, 0.2, output='sos')", "stft": "signal.stft(x)[2]", "tree": "spatial.KDTree(points)",
    "cubic": "interpolate.CubicSpline(knots, values)", "pchip": "interpolate.PchipInterpolator(knots, values)",
    "bspline": "interpolate.make_interp_spline(knots, values)", "tck": "interpolate.splrep(knots, values)",
    "delaunay": "spatial.Delaunay(sites)", "lu": "linalg.lu_factor(A)", "cho": "linalg.cho_factor(P)",
    "heights": "sites[:, 0] * sites[:, 1]",
}
