/* std.h - the text of <cuda/std/...>, for kernels that are compiled for the CPU: the host's own library under
 * CUDA's names. An include of the host's
 * header comes before it. */
namespace cuda {
namespace std {
using namespace ::std;
}
}
