// The error types of the library. Messages say what went wrong, where, and what to do next.
#pragma once

#include <stdexcept>
#include <string>

namespace gannet {

/// Base of all error types of Gannet. what() is one line that can be shown to a user. The standard
/// library's exceptions, such as std::bad_alloc, pass through unchanged.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An argument of the caller is invalid: an unknown codec, k1 < 0, a malformed query.
struct UsageError : Error {
  using Error::Error;
};

/// An operation on a file failed (open, read, write, rename, map), or a resource that it needs is
/// missing. The message names the cause, and the path if there is one.
struct IoError : Error {
  using Error::Error;
};

/// Bytes violate their format: they are truncated, corrupted or hostile. The message names the
/// location.
struct FormatError : Error {
  using Error::Error;
};

/// A file of an index is damaged: its bytes are not those that were written. The message names the
/// file (whose name begins with that of its segment), and the section, list or document if known.
struct DamageError : FormatError {
  using FormatError::FormatError;
};

/// A file has a format version, or needs a feature or a codec, that this version of Gannet does not
/// read. Most such files are from a newer version; index formats before the current one are not
/// read either. The message names what is unknown.
struct VersionError : FormatError {
  using FormatError::FormatError;
};

/// An input record (a document, a topic, a line of a run) is malformed or contradicts another
/// record, and the operation does not skip such records.
struct InputError : Error {
  using Error::Error;
};

/// An operation ended early because a stop was requested of the caller's std::stop_token. Files are
/// as they were before the operation, and temporary files are removed. Output in the caller's
/// memory may be incomplete: discard it.
struct CancelledError : Error {
  using Error::Error;
};

/// A CUDA call failed, or a kernel did.
struct CudaError : Error {
  using Error::Error;
};

/// No GPU is usable, or this build has no CUDA code.
struct NoDeviceError : CudaError {
  using CudaError::CudaError;
};

/// The GPU's free memory, or the configured part of it, is too small for the request.
struct DeviceMemoryError : CudaError {
  using CudaError::CudaError;
};

}  // namespace gannet
