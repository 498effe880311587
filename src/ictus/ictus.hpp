#pragma once

/// What a program needs that builds scenes, runs them and reads their results:
/// - scene::read_text, run::load: a scene from text, a file or the cases that come with the library;
/// - build::build: its system, integrator and step, for a program that steps by itself;
/// - run::Session: the whole run, with its results in a folder;
/// - files::read_summary, read_history, read_contacts: these results;
/// - base::InputError, base::NumericalFailure: what can go wrong.

#include <ictus/base/error.hpp>
#include <ictus/base/version.hpp>
#include <ictus/build/build.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/files/run_files.hpp>
#include <ictus/run/cases.hpp>
#include <ictus/run/session.hpp>
