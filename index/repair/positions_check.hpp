// What a file of positions must hold besides the positions themselves.
#pragma once

#include <cstdint>
#include <span>

#include "index/lists/list_table.hpp"
#include "index/positions/positions.hpp"

namespace gannet::index {

/// Checks what no reader of a list looks at: that the sizes of short lists (section SLEN) add up to
/// where blocks of lists start and are 0 of other lists, and that everything between and behind the
/// codes is 0. `table`: of the same segment. Throws DamageError, which names the file and the
/// lists, and CancelledError as the thread's StopScope says. O(lists). Thread-safe.
void check_positions_file(const Positions& positions, const ListTable& table);

/// Throws DamageError if the spans of a text are stored although they are its lengths: such are
/// left out. `spans`: Positions::spans(text, lengths). Thread-safe.
void check_spans_differ(const Positions& positions, std::uint32_t text,
                        std::span<const std::uint32_t> spans,
                        std::span<const std::uint32_t> lengths);

}  // namespace gannet::index
