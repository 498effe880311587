#include <gmock/gmock.h>
#include <hdf5.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/files/hdf5/hdf5_export.hpp>

#include "support/temporary_folder.hpp"

namespace ictus::files {
namespace {

using ictus::testing::read;
using ictus::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsNan;

constexpr const char* summary_text =
    R"({"ictus": {"version": "0.1.0"}, "integrator": "cd-lagrange", "status": "completed"})";

const std::string contacts_header =
    "time,first,second,x,y,z,nx,ny,nz,normal_impulse,tangential_impulse,energy_lost,"
    "kinetic_norm,kinetic_slide,kinetic_fix,kinetic_rigid,kinetic_shape\n";

/// The results of a run, and what is exported of them.
class Hdf5Export : public ::testing::Test {
 protected:
  Hdf5Export() {
    put("summary.json", summary_text);
    put("scene.yaml", "title: Ä\n");
    put("history.csv", "time,energy.total,probe.tip.force\n0,1.5,\n0.1,1.25,-3e-300\n");
    put("contacts.csv", contacts_header +
                            "0.1,left,rightmost,1,2,3,0,0,1,2,0,0,,,,,\n"
                            "0.2,b,left,4,5,6,0,1,0,1,0,0,0.5,0.25,3,1,2\n");
  }
  ~Hdf5Export() override {
    if (file_ >= 0) H5Fclose(file_);
  }

  void put(const char* name, std::string_view content) const { write_file(folder_.path() / name, content); }
  std::filesystem::path target() const { return folder_.path() / "out.h5"; }
  std::string refusal() const {
    try {
      export_results(folder_.path(), target());
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "exported";
  }

  void export_and_open() {
    export_results(folder_.path(), target());
    file_ = H5Fopen(target().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(file_, 0);
  }
  std::vector<double> numbers(const char* name) const {
    const hid_t set = H5Dopen2(file_, name, H5P_DEFAULT), space = H5Dget_space(set);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
    H5Sclose(space);
    H5Dclose(set);
    return values;
  }
  /// The strings of a data set, without the zeros that fill them.
  std::vector<std::string> texts(const char* name) const {
    const hid_t set = H5Dopen2(file_, name, H5P_DEFAULT), space = H5Dget_space(set), type = H5Dget_type(set);
    EXPECT_EQ(H5Tget_class(type), H5T_STRING) << name;
    EXPECT_EQ(H5Tget_cset(type), H5T_CSET_UTF8);
    const std::size_t size = H5Tget_size(type), count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
    std::string cells(size * count, '?');
    EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells.data()), 0) << name;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string cell = cells.substr(i * size, size);
      words.push_back(cell.substr(0, cell.find('\0')));
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    return words;
  }
  std::string attribute(const char* name) const {
    const hid_t attribute = H5Aopen(file_, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    std::string text(H5Tget_size(type), '?');
    EXPECT_GE(H5Aread(attribute, type, text.data()), 0) << name;
    H5Tclose(type);
    H5Aclose(attribute);
    return text;
  }

  TemporaryFolder folder_;
  hid_t file_ = -1;
};

TEST_F(Hdf5Export, HasEveryColumnOfTheTables) {
  export_and_open();
  EXPECT_THAT(numbers("/history/time"), ElementsAre(0, 0.1));
  EXPECT_THAT(numbers("/history/energy.total"), ElementsAre(1.5, 1.25));
  const std::vector<double> force = numbers("/history/probe.tip.force");
  ASSERT_EQ(force.size(), 2u);
  EXPECT_TRUE(std::isnan(force[0]));
  EXPECT_EQ(force[1], -3e-300);
  EXPECT_THAT(numbers("/contacts/normal_impulse"), ElementsAre(2, 1));
  EXPECT_THAT(numbers("/contacts/x"), ElementsAre(1, 4));
  EXPECT_THAT(numbers("/contacts/kinetic_norm"), ElementsAre(IsNan(), 0.5));
  EXPECT_THAT(numbers("/contacts/kinetic_shape"), ElementsAre(IsNan(), 2));
  EXPECT_THAT(texts("/contacts/first"), ElementsAre("left", "b"));
  EXPECT_THAT(texts("/contacts/second"), ElementsAre("rightmost", "left"));
}

TEST_F(Hdf5Export, HasSceneAndSummaryAsTheyAre) {
  export_and_open();
  EXPECT_THAT(texts("/scene.yaml"), ElementsAre("title: Ä\n"));
  EXPECT_THAT(texts("/summary.json"), ElementsAre(summary_text));
  EXPECT_EQ(attribute("version"), "0.1.0");
  EXPECT_EQ(attribute("integrator"), "cd-lagrange");
  EXPECT_EQ(attribute("status"), "completed");
}

TEST_F(Hdf5Export, OfARunWithoutContactsKeepsTheTypes) {
  put("contacts.csv", contacts_header);
  export_and_open();
  EXPECT_THAT(numbers("/contacts/time"), IsEmpty());
  EXPECT_THAT(texts("/contacts/first"), IsEmpty());
}

TEST_F(Hdf5Export, OfTheSameResultsHasTheSameBytes) {
  export_results(folder_.path(), folder_.path() / "a.h5");
  export_results(folder_.path(), folder_.path() / "b.h5");
  export_results(folder_.path(), folder_.path() / "b.h5");
  EXPECT_EQ(read(folder_.path() / "a.h5"), read(folder_.path() / "b.h5"));
}

TEST_F(Hdf5Export, NamesEveryFileThatIsDamaged) {
  put("summary.json", "{");
  put("history.csv", "time,energy.total\n0\n");
  const std::string folder = folder_.path().string();
  EXPECT_EQ(refusal(), folder + "/summary.json: not valid JSON at byte 2\n" + folder +
                           "/history.csv:2: the row has 1 cells, the header 2");
  EXPECT_FALSE(std::filesystem::exists(target()));
}

TEST_F(Hdf5Export, DoesNotReplaceAFileOfAnotherKind) {
  put("out.h5", "Ictus checkpoint: HDF5 after 512 bytes");
  EXPECT_EQ(refusal(), target().string() + ": exists and is not an exported file; choose another name with --to");
  EXPECT_EQ(read(target()), "Ictus checkpoint: HDF5 after 512 bytes");
}

}  // namespace
}  // namespace ictus::files
