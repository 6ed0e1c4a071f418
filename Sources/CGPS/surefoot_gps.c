#include "surefoot_gps.h"
int surefoot_gps_placeholder(void) { return 0; }
