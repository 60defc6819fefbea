//! libtombac from Rust: the length of a vector. An Array releases itself, and what fails is an Err with the message.
//!
//!     rustc -O examples/rust/arrays.rs $(pkg-config --libs-only-L tombac) && ./arrays
use std::ffi::{c_char, c_int, c_void, CStr};
use std::ptr::{null, null_mut};

type Out = *mut *mut c_void; // tb_array **
const TB_F64: c_int = 12;
const TB_ALL_AXES: c_int = c_int::MIN;

#[link(name = "tombac")]
extern "C" {
    fn tb_error_message() -> *const c_char;
    fn tb_from_host(host: *const c_void, t: c_int, ndim: c_int, shape: *const i64, strides: *const i64, order: c_char, out: Out) -> c_int;
    fn tb_square(a: *mut c_void, out: Out) -> c_int;
    fn tb_sum(a: *mut c_void, axis: c_int, out: Out) -> c_int;
    fn tb_sqrt(a: *mut c_void, out: Out) -> c_int;
    fn tb_array_get(a: *mut c_void, host: *mut c_void, strides: *const i64, stream: *mut c_void, blocking: bool) -> c_int;
    fn tb_array_release(a: *mut c_void);
}

fn check(status: c_int) -> Result<(), String> {
    if status == 0 { return Ok(()); }
    Err(unsafe { CStr::from_ptr(tb_error_message()) }.to_string_lossy().into_owned())
}

struct Array(*mut c_void);

impl Array {
    fn made(function: impl FnOnce(Out) -> c_int) -> Result<Array, String> {
        let mut out = null_mut();
        check(function(&mut out)).map(|_| Array(out))
    }
    fn new(v: &[f64]) -> Result<Array, String> {
        let shape = [v.len() as i64];
        Array::made(|out| unsafe { tb_from_host(v.as_ptr().cast(), TB_F64, 1, shape.as_ptr(), null(), b'C' as c_char, out) })
    }
    fn length(&self) -> Result<f64, String> {
        let squares = Array::made(|out| unsafe { tb_square(self.0, out) })?;
        let sum = Array::made(|out| unsafe { tb_sum(squares.0, TB_ALL_AXES, out) })?;
        let root = Array::made(|out| unsafe { tb_sqrt(sum.0, out) })?;
        let mut number = 0.0;
        check(unsafe { tb_array_get(root.0, (&mut number as *mut f64).cast(), null(), null_mut(), true) })?;
        Ok(number)
    }
}

impl Drop for Array {
    fn drop(&mut self) { unsafe { tb_array_release(self.0) } }
}

fn main() -> Result<(), String> {
    println!("the length of (2, 3, 6) is {}", Array::new(&[2.0, 3.0, 6.0])?.length()?);
    Ok(())
}
