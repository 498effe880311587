#include "man_page.hpp"

#include <fmt/format.h>

#include <ictus/base/version.hpp>

#include "exit_codes.hpp"

namespace ictus::program {

namespace {

/// Text as roff shows it: no backslash, hyphen or leading dot is taken as a command.
std::string roff(std::string_view text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    line_begins = c == '\n';
  }
  return result;
}

std::string option_heading(const CLI::Option& option) {
  const std::string name = roff(option.get_name(!option.nonpositional(), true));
  const std::string value = option.get_items_expected_max() > 0 ? option.get_type_name() : "";
  return value.empty() ? fmt::format("\\fB{}\\fR", name) : fmt::format("\\fB{}\\fR \\fI{}\\fR", name, roff(value));
}

std::string command_section(const CLI::App& command) {
  std::string text = fmt::format(".SS ictus {}\n{}.\n", roff(command.get_name()), roff(command.get_description()));
  for (const CLI::Option* option : command.get_options())
    text += fmt::format(".TP\n{}\n{}\n", option_heading(*option), roff(option->get_description()));
  if (!command.get_footer().empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.get_footer()));
  return text;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH ICTUS 1 \"\" \"ictus {}\" \"User Commands\"\n"
      ".SH NAME\nictus \\- simulates impacts of elastic and rigid bodies\n"
      ".SH SYNOPSIS\n\\fBictus\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n.nf\n{}\n.fi\n.SH COMMANDS\n",
      base::version, roff(app.get_description()));
  for (const CLI::App* command : app.get_subcommands({})) text += command_section(*command);
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_meanings)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", static_cast<int>(code), roff(meaning));
  return text + ".SH FILES\nA run writes into \\fIruns/NAME\\fR, or the folder that \\fB\\-\\-out\\fR names.\n";
}

}  // namespace ictus::program
