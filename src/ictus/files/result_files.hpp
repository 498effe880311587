#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::files {

/// The files of a run, by the names that others read.
namespace result_files {
inline constexpr std::string_view scene = "scene.yaml";
inline constexpr std::string_view summary = "summary.json";
inline constexpr std::string_view history = "history.csv";
inline constexpr std::string_view filtered = "filtered.csv";
inline constexpr std::string_view contacts = "contacts.csv";
inline constexpr std::string_view frames = "frames.pvd";
inline constexpr std::string_view frame_folder = "frames";
/// Name of a frame in the folder of frames.
std::string frame(std::size_t number);
inline constexpr std::string_view checkpoint = "checkpoint.h5";
inline constexpr std::string_view report = "report.html";
inline constexpr std::string_view exported = "results.h5";
}  // namespace result_files

/// Which of the names `folder` holds; none when it does not exist.
std::vector<std::string> existing_files(const std::filesystem::path& folder, std::span<const std::string_view> names);
/// Removes them, and nothing else. Throws base::InputError with the system's reason.
void remove_files(const std::filesystem::path& folder, std::span<const std::string_view> names);

/// Which of its result files a folder holds.
std::vector<std::string> existing_results(const std::filesystem::path& folder);
/// Removes them and what a killed run was writing, and nothing else, so that a new run does not stand beside the
/// remains of an old one. The folder of frames stays where it holds more than frames.
void remove_results(const std::filesystem::path& folder);

/// Makes `folder` and those above it. Throws base::InputError with the system's reason.
void make_folder(const std::filesystem::path& folder);

}  // namespace ictus::files
