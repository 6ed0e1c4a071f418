#ifndef SUREFOOT_XML_H
#define SUREFOOT_XML_H
int surefoot_xml_placeholder(void);
#endif
