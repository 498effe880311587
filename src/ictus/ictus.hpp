#pragma once

/// What a program needs that builds scenes, runs them and reads their results:
/// - scene::Scene, scene::check: a scene of structs;
/// - scene::read_text, run::load: one from text, a file or the cases that come with the library;
/// - run::Simulation: stepped by hand, with its state to read and write; run::Batch: many of them;
/// - run::Session: the whole run, with its results in a folder;
/// - build::Own: forces, controls, materials and bodies of one's own for either;
/// - mechanics::FormulaBody, mechanics::FormulaMaterial, mechanics::Force, mechanics::Signal, mechanics::NodalBody,
///   dynamics::Observer: what these are made of;
/// - files::read_summary, read_history, read_contacts: the results;
/// - base::InputError, base::NumericalFailure: what can go wrong.

#include <ictus/base/error.hpp>
#include <ictus/base/version.hpp>
#include <ictus/build/build.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/files/run_files.hpp>
#include <ictus/mechanics/generalised/formula_body.hpp>
#include <ictus/mechanics/material/formula_material.hpp>
#include <ictus/run/batch.hpp>
#include <ictus/run/cases.hpp>
#include <ictus/run/session.hpp>
#include <ictus/run/simulation.hpp>
