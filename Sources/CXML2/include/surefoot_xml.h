#ifndef SUREFOOT_XML_H
#define SUREFOOT_XML_H

#include <stddef.h>

// A narrow door to libxml2's push parser: elements, attributes and text go out as callbacks, in
// the order of the file, up to the first byte that is not well formed.
//
// Push parser, not xmlTextReader: the text reader parses ahead in pieces and throws away what it
// has parsed but not yet handed out when it meets damage, which would lose whole points of a cut
// file. The push parser has called back for every whole element before the damage, builds no tree,
// and needs neither a file nor a thread of its own.
//
// No DTD is ever used: a document type declaration stops the parser, so there are no entities to
// expand and nothing outside the file to load.

// The parts of one attribute, as the parser lays them out: `value` runs up to `end`, no NUL there.
typedef struct {
    const unsigned char *local_name;
    const unsigned char *prefix;
    const unsigned char *uri;
    const unsigned char *value;
    const unsigned char *end;
} surefoot_xml_attribute;

// Names are NUL terminated UTF-8, without prefix; `uri` is NULL outside any namespace. All
// pointers hold only during the call. Text comes in any number of pieces.
typedef struct {
    void *context;
    void (*start)(void *context, const unsigned char *local_name, const unsigned char *uri,
                  const surefoot_xml_attribute *attributes, int attribute_count);
    void (*end)(void *context);
    void (*text)(void *context, const unsigned char *bytes, int count);
} surefoot_xml_handler;

typedef enum {
    SUREFOOT_XML_NO_FAULT = 0,
    SUREFOOT_XML_NOT_WELL_FORMED = 1,
    SUREFOOT_XML_DOCUMENT_TYPE = 2,
    SUREFOOT_XML_STOPPED = 3,
} surefoot_xml_fault;

typedef struct surefoot_xml surefoot_xml;

// Loads libxml2 at the first call, from any thread. 0, or -1 if it is not there or too old; then
// `surefoot_xml_load_error` says why.
int surefoot_xml_load(void);
const char *surefoot_xml_load_error(void);

// A parser for one document; `first` are its first bytes, which decide the encoding and should be
// four where there are four. NULL when there is no memory, or no libxml2.
surefoot_xml *surefoot_xml_create(const surefoot_xml_handler *handler, const void *first, int count);

// Parses on; `last` says that nothing follows. Returns the fault that ended the document, if any;
// after one, nothing is called back any more.
surefoot_xml_fault surefoot_xml_push(surefoot_xml *parser, const void *bytes, int count, int last);

// Ends the parsing, from inside a callback.
void surefoot_xml_stop(surefoot_xml *parser);

// Where the parser stands, or where the fault is: 1 or more.
int surefoot_xml_line(const surefoot_xml *parser);

// What libxml2 says about the fault, one line, English, never NULL.
const char *surefoot_xml_message(const surefoot_xml *parser);

void surefoot_xml_destroy(surefoot_xml *parser);

#endif
