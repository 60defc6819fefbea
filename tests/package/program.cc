/* program.cc - program.c in C++: 1 + 2 + ... + 100, and the version. */
#include <iostream>
#include <tombac/tombac.hpp>

int main()
{
    const tombac::array x = tombac::arange(TB_I64, 0, 1, 100);
    std::cout << tb_version() << " " << sum(x + 1).item<long>() << std::endl;
    return 0;
}
