// The errors of the library: what went wrong, where, and what to do next.
#pragma once

#include <stdexcept>
#include <string>

namespace gannet {

/// Base of every error that Gannet throws. `what()` is one line, fit to be shown to a user.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The caller asked for something that makes no sense (unknown codec, k1 < 0, malformed query...).
struct UsageError : Error {
  using Error::Error;
};

/// A file could not be opened, read, written or renamed. The message names the path and the cause.
struct IoError : Error {
  using Error::Error;
};

/// Bytes are not what their format says: truncated, flipped, hostile. The message names the place.
struct FormatError : Error {
  using Error::Error;
};

/// A file of an index is damaged: its bytes are not those that were written. The message names the
/// file, which its segment's name begins, and the section, and the list or document where it is
/// known.
struct DamageError : FormatError {
  using FormatError::FormatError;
};

/// A file was written by a newer version of Gannet; the message names both versions.
struct VersionError : FormatError {
  using FormatError::FormatError;
};

/// An input document or record is malformed and the policy is to stop at the first one.
struct InputError : Error {
  using Error::Error;
};

/// The caller's std::stop_token asked for the end of an operation. What was there before it is
/// as it was, and nothing temporary is left.
struct CancelledError : Error {
  using Error::Error;
};

/// A CUDA call failed.
struct CudaError : Error {
  using Error::Error;
};

/// There is no usable GPU, or this build has no CUDA code.
struct NoDeviceError : CudaError {
  using CudaError::CudaError;
};

/// The GPU has not enough free memory for what was asked.
struct DeviceMemoryError : CudaError {
  using CudaError::CudaError;
};

}  // namespace gannet
