#include "report/assets.h"

#include "support/embedded_file.h"

NMT_EMBED_FILE(nmt_report_page_css, NMT_REPORT_DIR "/page.css");
NMT_EMBED_FILE(nmt_report_page_js, NMT_REPORT_DIR "/page.js");
NMT_EMBED_FILE(nmt_report_attention_css, NMT_REPORT_DIR "/attention.css");
NMT_EMBED_FILE(nmt_report_attention_js, NMT_REPORT_DIR "/attention.js");
NMT_EMBED_FILE(nmt_report_css, NMT_REPORT_DIR "/report.css");
NMT_EMBED_FILE(nmt_report_js, NMT_REPORT_DIR "/report.js");

namespace nmt {

std::string_view page_style() { return nmt_report_page_css(); }
std::string_view page_script() { return nmt_report_page_js(); }
std::string_view attention_style() { return nmt_report_attention_css(); }
std::string_view attention_script() { return nmt_report_attention_js(); }
std::string_view report_style() { return nmt_report_css(); }
std::string_view report_script() { return nmt_report_js(); }

}  // namespace nmt
