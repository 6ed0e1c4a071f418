#include "surefoot_xml.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// libxml2 brings ICU with it, 30 MB of memory that a run without a GPX file to read never needs:
// it is opened at the first use and never linked.
//
// Its headers are not used either. They lie in a folder of their own (/usr/include/libxml2), and
// the only ways to tell SwiftPM so are unsafeFlags, which forbid others to depend on this package,
// and pkgConfig, which links the library. What is declared here instead is libxml2's binary
// interface: functions, two structures as the caller lays them out, and a few numbers. They have
// not changed since 2.6 (2003), nor in the step from libxml2.so.2 to libxml2.so.16 (2.14), because
// programs built then must run today. Everything else stays opaque.

typedef struct _xmlParserCtxt xmlParserCtxt;

// The beginning of xmlError (libxml/xmlerror.h); only ever read through a pointer from libxml2.
typedef struct {
    int domain;
    int code;
    const char *message;
    int level;
    const char *file;
    int line;
} xmlErrorHead;

enum { XML_ERROR = 2, XML_FATAL = 3 };         // xmlErrorLevel
enum { XML_FROM_NAMESPACE = 3 };               // xmlErrorDomain
enum { XML_PARSE_NONET = 1 << 11 };            // xmlParserOption; never NOENT, HUGE or DTDLOAD
#define XML_SAX2_MAGIC 0xDEEDBEAFu             // says that the structure has its SAX2 part

typedef void (*unused_callback)(void);
typedef void (*structured_error)(void *context, xmlErrorHead *error);

// xmlSAXHandler (libxml/parser.h), with the callbacks left out that nobody sets.
typedef struct {
    void (*internalSubset)(void *, const unsigned char *, const unsigned char *,
                           const unsigned char *);
    unused_callback isStandalone, hasInternalSubset, hasExternalSubset, resolveEntity, getEntity;
    unused_callback entityDecl, notationDecl, attributeDecl, elementDecl, unparsedEntityDecl;
    unused_callback setDocumentLocator, startDocument, endDocument, startElement, endElement;
    unused_callback reference;
    void (*characters)(void *, const unsigned char *, int);
    unused_callback ignorableWhitespace;
    void (*processingInstruction)(void *, const unsigned char *, const unsigned char *);
    void (*comment)(void *, const unsigned char *);
    unused_callback warning, error, fatalError, getParameterEntity;
    void (*cdataBlock)(void *, const unsigned char *, int);
    unused_callback externalSubset;
    unsigned int initialized;
    void *reserved;
    void (*startElementNs)(void *, const unsigned char *, const unsigned char *,
                           const unsigned char *, int, const unsigned char **, int, int,
                           const unsigned char **);
    void (*endElementNs)(void *, const unsigned char *, const unsigned char *,
                         const unsigned char *);
    structured_error serror;
} xmlSAXHandler;

static struct {
    void (*initParser)(void);
    xmlParserCtxt *(*createPushParser)(xmlSAXHandler *, void *, const char *, int, const char *);
    int (*useOptions)(xmlParserCtxt *, int);
    int (*parseChunk)(xmlParserCtxt *, const char *, int, int);
    void (*stopParser)(xmlParserCtxt *);
    int (*lineNumber)(void *);
    void (*freeParser)(xmlParserCtxt *);
    void (*setStructuredError)(void *, structured_error);
    structured_error *(*structuredError)(void);
    void **(*structuredErrorContext)(void);
    int ready;
    char error[256];
} library;

// libxml2 compares the attributes of one tag each with each, and keeps every name it has met in
// a table that becomes a few long chains: megabytes of either cost it minutes. Real GPX has a few
// dozen names and a few attributes.
enum {
    ATTRIBUTES_MAX = 256,
    NAMES_MAX = 4096,
    NAME_SLOTS = 2 * NAMES_MAX,     // a power of two
    PIECE_MAX = 256 * 1024,         // bytes of one tag or comment
    STEP = 64 * 1024,
};

struct surefoot_xml {
    xmlParserCtxt *parser;
    int depth;
    int root_seen;
    int waiting;                    // bytes given to the parser since it last called back
    int name_count;
    const void *names[NAME_SLOTS];  // open hashing over libxml2's own pointers, one for each name
    surefoot_xml_handler handler;
    surefoot_xml_fault fault;
    int line;
    char message[256];
};

static void find(void *handle, const char *name, void *function) {
    void *symbol = dlsym(handle, name);
    if (symbol == NULL) library.ready = 0;
    memcpy(function, &symbol, sizeof symbol);
}

static void load(void) {
    static const char *const names[] = {"libxml2.so.2", "libxml2.so.16"};
    void *handle = NULL;
    for (size_t i = 0; handle == NULL && i < sizeof names / sizeof *names; i++) {
        handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (handle == NULL && i == 0) {
            const char *reason = dlerror();
            strncpy(library.error, reason ? reason : names[i], sizeof library.error - 1);
        }
    }
    if (handle == NULL) return;
    library.ready = 1;
    find(handle, "xmlInitParser", &library.initParser);
    find(handle, "xmlCreatePushParserCtxt", &library.createPushParser);
    find(handle, "xmlCtxtUseOptions", &library.useOptions);
    find(handle, "xmlParseChunk", &library.parseChunk);
    find(handle, "xmlStopParser", &library.stopParser);
    find(handle, "xmlSAX2GetLineNumber", &library.lineNumber);
    find(handle, "xmlFreeParserCtxt", &library.freeParser);
    find(handle, "xmlSetStructuredErrorFunc", &library.setStructuredError);
    find(handle, "__xmlStructuredError", &library.structuredError);
    find(handle, "__xmlStructuredErrorContext", &library.structuredErrorContext);
    if (library.ready) {
        library.error[0] = 0;
        library.initParser();
    } else {
        strncpy(library.error, "libxml2 lacks a function of its push parser",
                sizeof library.error - 1);
    }
}

int surefoot_xml_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return library.ready ? 0 : -1;
}

const char *surefoot_xml_load_error(void) { return library.error; }

// Keeps the first fault only: what follows is its consequence.
static void note(surefoot_xml *self, surefoot_xml_fault fault, int line, const char *message) {
    if (self->fault != SUREFOOT_XML_NO_FAULT) return;
    self->fault = fault;
    self->line = line > 0 ? line : 1;
    size_t length = strcspn(message, "\r\n");
    if (length >= sizeof self->message) length = sizeof self->message - 1;
    memcpy(self->message, message, length);
    self->message[length] = 0;
}

static void on_error(void *context, xmlErrorHead *error) {
    surefoot_xml *self = context;
    // An unbound prefix and the like (level error) leave the document readable; so do warnings.
    if (self == NULL || error == NULL || error->level != XML_FATAL) return;
    note(self, SUREFOOT_XML_NOT_WELL_FORMED, error->line, error->message ? error->message : "");
}

// Faults of libxml2's parts that know no parser, such as the converters of encodings. Without this
// they would be printed on stderr.
static void on_stray_error(void *context, xmlErrorHead *error) {
    surefoot_xml *self = context;
    if (self == NULL || self->parser == NULL || error == NULL) return;
    if (error->level < XML_ERROR || error->domain == XML_FROM_NAMESPACE) return;
    note(self, SUREFOOT_XML_NOT_WELL_FORMED, library.lineNumber(self->parser),
         error->message ? error->message : "");
}

static void on_document_type(void *context, const unsigned char *name, const unsigned char *external,
                             const unsigned char *system) {
    surefoot_xml *self = context;
    (void)name;
    (void)external;
    (void)system;
    note(self, SUREFOOT_XML_DOCUMENT_TYPE, library.lineNumber(self->parser),
         "a document type declaration");
    library.stopParser(self->parser);
}

static void refuse(surefoot_xml *self, const char *message) {
    note(self, SUREFOOT_XML_NOT_WELL_FORMED, library.lineNumber(self->parser), message);
    library.stopParser(self->parser);
}

static void count_name(surefoot_xml *self, const void *name) {
    if (name == NULL || self->name_count >= NAMES_MAX) return;
    size_t slot = (size_t)name;
    slot = (slot ^ slot >> 13) * 0x9E3779B1u >> 4;
    for (;; slot++) {
        const void **at = &self->names[slot & (NAME_SLOTS - 1)];
        if (*at == name) return;
        if (*at == NULL) {
            *at = name;
            break;
        }
    }
    if (++self->name_count == NAMES_MAX) refuse(self, "too many different names");
}

static void on_instruction(void *context, const unsigned char *target, const unsigned char *data) {
    surefoot_xml *self = context;
    (void)data;
    self->waiting = 0;
    count_name(self, target);
}

static void on_comment(void *context, const unsigned char *text) {
    surefoot_xml *self = context;
    (void)text;
    self->waiting = 0;
}

static void on_start(void *context, const unsigned char *local_name, const unsigned char *prefix,
                     const unsigned char *uri, int namespace_count,
                     const unsigned char **namespaces, int attribute_count, int defaulted_count,
                     const unsigned char **attributes) {
    surefoot_xml *self = context;
    (void)defaulted_count;
    self->waiting = 0;
    if (self->fault != SUREFOOT_XML_NO_FAULT) return;
    self->depth++;
    self->root_seen = 1;
    if (attribute_count > ATTRIBUTES_MAX || namespace_count > ATTRIBUTES_MAX) {
        refuse(self, "too many attributes");
        return;
    }
    count_name(self, local_name);
    count_name(self, prefix);
    count_name(self, uri);
    for (int i = 0; i < 2 * namespace_count; i++) count_name(self, namespaces[i]);
    for (int i = 0; i < attribute_count; i++) {
        count_name(self, attributes[5 * i]);
        count_name(self, attributes[5 * i + 1]);
    }
    if (self->fault != SUREFOOT_XML_NO_FAULT) return;
    self->handler.start(self->handler.context, local_name, uri,
                        (const surefoot_xml_attribute *)(const void *)attributes, attribute_count);
}

static void on_end(void *context, const unsigned char *local_name, const unsigned char *prefix,
                   const unsigned char *uri) {
    surefoot_xml *self = context;
    (void)local_name;
    (void)prefix;
    (void)uri;
    self->waiting = 0;
    if (self->fault != SUREFOOT_XML_NO_FAULT) return;
    self->depth--;
    self->handler.end(self->handler.context);
}

static void on_text(void *context, const unsigned char *bytes, int count) {
    surefoot_xml *self = context;
    self->waiting = 0;
    if (self->fault != SUREFOOT_XML_NO_FAULT) return;
    self->handler.text(self->handler.context, bytes, count);
}

surefoot_xml *surefoot_xml_create(const surefoot_xml_handler *handler, const void *first,
                                  int count) {
    if (surefoot_xml_load() != 0) return NULL;
    surefoot_xml *self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    self->handler = *handler;
    xmlSAXHandler sax;
    memset(&sax, 0, sizeof sax);
    sax.internalSubset = on_document_type;
    sax.characters = on_text;
    sax.cdataBlock = on_text;
    sax.processingInstruction = on_instruction;
    sax.comment = on_comment;
    sax.initialized = XML_SAX2_MAGIC;
    sax.startElementNs = on_start;
    sax.endElementNs = on_end;
    sax.serror = on_error;
    // The program that uses this package may use libxml2 too: its handler is put back.
    structured_error handler_before = *library.structuredError();
    void *context_before = *library.structuredErrorContext();
    library.setStructuredError(self, on_stray_error);
    self->parser = library.createPushParser(&sax, self, first, count, NULL);
    library.setStructuredError(context_before, handler_before);
    if (self->parser == NULL) {
        free(self);
        return NULL;
    }
    library.useOptions(self->parser, XML_PARSE_NONET);
    return self;
}

surefoot_xml_fault surefoot_xml_push(surefoot_xml *self, const void *bytes, int count, int last) {
    if (self->fault != SUREFOOT_XML_NO_FAULT) return self->fault;
    structured_error handler_before = *library.structuredError();
    void *context_before = *library.structuredErrorContext();
    library.setStructuredError(self, on_stray_error);
    const char *from = bytes;
    do {
        int step = count < STEP ? count : STEP;
        self->waiting += step;
        library.parseChunk(self->parser, from, step, last && step == count);
        from += step;
        count -= step;
        // White space after the outermost element is nobody's tag.
        if (self->waiting > PIECE_MAX && !(self->root_seen && self->depth == 0)) {
            refuse(self, "a tag or comment without end");
        }
    } while (count > 0 && self->fault == SUREFOOT_XML_NO_FAULT);
    library.setStructuredError(context_before, handler_before);
    return self->fault;
}

void surefoot_xml_stop(surefoot_xml *self) {
    note(self, SUREFOOT_XML_STOPPED, library.lineNumber(self->parser), "stopped");
    library.stopParser(self->parser);
}

int surefoot_xml_line(const surefoot_xml *self) {
    if (self->fault != SUREFOOT_XML_NO_FAULT) return self->line;
    int line = library.lineNumber(self->parser);
    return line > 0 ? line : 1;
}

const char *surefoot_xml_message(const surefoot_xml *self) { return self->message; }

void surefoot_xml_destroy(surefoot_xml *self) {
    if (self == NULL) return;
    library.freeParser(self->parser);
    free(self);
}
