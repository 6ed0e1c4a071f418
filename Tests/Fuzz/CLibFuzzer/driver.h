#include <stddef.h>
#include <stdint.h>

/* libFuzzer as a library: runs `one` on as many inputs as the arguments say.
   Source: llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library". */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one)(const uint8_t *data, size_t size));
