"""What CuPy has and tombac does not have yet, by module; made by tools/absent_names.py."""

NAMES = {
    "tombac.cuda.cufft": (
        "XtExec XtPlanNd multi_gpu_execC2C multi_gpu_execZ2Z setCallback setJITCallback"
    ),
    "tombac.cuda.nccl": (
        "NCCL_AVG NCCL_BFLOAT16 NCCL_CHAR NCCL_DOUBLE NCCL_FLOAT NCCL_FLOAT16 NCCL_FLOAT32 NCCL_FLOAT64 NCCL_HALF "
        "NCCL_INT NCCL_INT32 NCCL_INT64 NCCL_INT8 NCCL_MAX NCCL_MIN NCCL_PROD NCCL_SUM NCCL_UINT32 NCCL_UINT64 "
        "NCCL_UINT8 NcclCommunicator NcclConfig NcclError check_status get_build_version get_unique_id get_version "
        "groupEnd groupStart"
    ),
    "tombacx": (
        "cusparse distributed signal"
    ),
    "tombacx.cusolver": (
        "csrlsvqr"
    ),
    "tombacx.linalg": (
        "sparse"
    ),
    "tombacx.scipy": (
        "interpolate sparse"
    ),
    "tombacx.scipy.signal": (
        "BadCoefficients CZT StateSpace TransferFunction ZerosPolesGain ZoomFFT abcd_normalize argrelextrema "
        "argrelmax argrelmin band_stop_obj bilinear bilinear_zpk bode buttap butter buttord cheb1ap cheb1ord cheb2ap "
        "cheb2ord cheby1 cheby2 check_COLA check_NOLA chirp choose_conv_method coherence cont2discrete convolve "
        "convolve2d correlate correlate2d correlation_lags csd cspline1d cspline1d_eval cspline2d cwt czt czt_points "
        "dbode decimate deconvolve detrend dfreqresp dimpulse dlsim dlti dstep ellip ellipap ellipord fftconvolve "
        "filtfilt find_peaks findfreqs firls firwin firwin2 freqresp freqs freqs_zpk freqz freqz_sos freqz_zpk "
        "gammatone gauss_spline gausspulse group_delay hilbert hilbert2 iircomb iirdesign iirfilter iirnotch iirpeak "
        "impulse invres invresz istft kaiser_atten kaiser_beta kaiserord lfilter lfilter_zi lfiltic lombscargle lp2bp "
        "lp2bp_zpk lp2bs lp2bs_zpk lp2hp lp2hp_zpk lp2lp lp2lp_zpk lsim lti max_len_seq medfilt medfilt2d "
        "minimum_phase morlet morlet2 normalize oaconvolve order_filter peak_prominences peak_widths periodogram "
        "place_poles qmf qspline1d qspline1d_eval qspline2d resample resample_poly residue residuez ricker "
        "savgol_coeffs savgol_filter sawtooth sepfir2d sos2tf sos2zpk sosfilt sosfilt_zi sosfiltfilt sosfreqz "
        "spectrogram spline_filter square ss2tf ss2zpk step stft sweep_poly symiirorder1 symiirorder2 tf2sos tf2ss "
        "tf2zpk unique_roots unit_impulse upfirdn vectorstrength welch wiener zoom_fft zpk2sos zpk2ss zpk2tf"
    ),
    "tombacx.scipy.spatial": (
        "Delaunay KDTree"
    ),
    "tombacx.scipy.spatial.distance": (
        "MetricInfo check_soft_dependencies cuvs_available pylibraft_available"
    ),
}

MODULES = (
    "tombacx.cusparse tombacx.distributed tombacx.distributed.array tombacx.linalg.sparse tombacx.scipy.interpolate "
    "tombacx.scipy.sparse tombacx.scipy.sparse.csgraph tombacx.scipy.sparse.linalg tombacx.signal"
)
