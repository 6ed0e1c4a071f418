#include "surefoot_xml.h"
int surefoot_xml_placeholder(void) { return 0; }
