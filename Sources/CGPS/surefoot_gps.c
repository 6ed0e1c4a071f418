#include "surefoot_gps.h"

#include <dlfcn.h>
#include <gps.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// A library built with a larger struct than our header's writes past it: room for that.
#define SLACK (512 * 1024)
#define LONGEST_LINE (64 * 1024 + 256)

typedef int unpack_function(char *, struct gps_data_t *);

// Which name the library of this header's release bears; the header alone does not always tell,
// hence several. Source: libgps_version_current in SConstruct or SConscript of each release.
static const char *const names[] = {
#if GPSD_API_MAJOR_VERSION == 6 // 3.17
    "libgps.so.23",
#elif GPSD_API_MAJOR_VERSION == 7 // 3.18
    "libgps.so.24",
#elif GPSD_API_MAJOR_VERSION == 8 || GPSD_API_MAJOR_VERSION == 9 // 3.19, 3.20
    "libgps.so.25",
#elif GPSD_API_MAJOR_VERSION == 10 // 3.21
    "libgps.so.27",
#elif GPSD_API_MAJOR_VERSION == 11 // 3.22
    "libgps.so.28",
#elif GPSD_API_MAJOR_VERSION == 12 // 3.23
    "libgps.so.29",
#elif GPSD_API_MAJOR_VERSION == 14 // 3.24, 3.25 and 3.26, 3.26.1
    "libgps.so.31", "libgps.so.30", "libgps.so.29",
#elif GPSD_API_MAJOR_VERSION == 16 // 3.27
    "libgps.so.32",
#endif
    "libgps.so",
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum surefoot_gps_library state = SUREFOOT_GPS_MISSING;
static unpack_function *unpack;
// Guarded by `lock`.
static struct gps_data_t *data;
static char *text;

#if GPSD_API_MAJOR_VERSION >= 9
static void take_time(timespec_t time, surefoot_gps_report *report)
{
    if (time.tv_sec <= 0 || time.tv_sec > 253402300799) {
        return;
    }
    report->has_time = true;
    report->time_ms = (int64_t)time.tv_sec * 1000 + (time.tv_nsec + 500000) / 1000000;
}
#else
static void take_time(double time, surefoot_gps_report *report)
{
    if (!(time > 0) || time > 253402300799.0) {
        return;
    }
    report->has_time = true;
    report->time_ms = llround(time * 1000);
}
#endif

// gpsd's PRN numbering: the same as NMEA 2 to 4.0, each other system in a range of its own.
// Source: drivers/driver_nmea0183.c and driver_ubx.c of gpsd.
static int constellation_of_prn(int prn)
{
    if (prn >= 1 && prn <= 32) return SUREFOOT_GPS_GPS;
    if (prn >= 33 && prn <= 64) return SUREFOOT_GPS_SBAS;
    if (prn >= 65 && prn <= 96) return SUREFOOT_GPS_GLONASS;
    if (prn >= 120 && prn <= 158) return SUREFOOT_GPS_SBAS;
    if (prn >= 193 && prn <= 200) return SUREFOOT_GPS_QZSS;
    if (prn >= 201 && prn <= 263) return SUREFOOT_GPS_BEIDOU;
    if (prn >= 301 && prn <= 336) return SUREFOOT_GPS_GALILEO;
    if (prn >= 401 && prn <= 463) return SUREFOOT_GPS_BEIDOU;
    return -1;
}

static int constellation(const struct satellite_t *satellite)
{
#if GPSD_API_MAJOR_VERSION >= 7
    if (satellite->svid != 0) {
        switch (satellite->gnssid) {
        case 0: return SUREFOOT_GPS_GPS;
        case 1: return SUREFOOT_GPS_SBAS;
        case 2: return SUREFOOT_GPS_GALILEO;
        case 3: return SUREFOOT_GPS_BEIDOU;
        case 5: return SUREFOOT_GPS_QZSS;
        case 6: return SUREFOOT_GPS_GLONASS;
        case 7: return SUREFOOT_GPS_NAVIC;
        default: return -1;
        }
    }
#endif
    return constellation_of_prn(satellite->PRN);
}

static bool starts_with(const char *line, const char *start)
{
    return strncmp(line, start, strlen(start)) == 0;
}

static bool decode(const char *line, surefoot_gps_report *report)
{
    size_t length = strlen(line);
    if (length >= LONGEST_LINE) {
        return false;
    }
    // An object with a class of its own inside another is taken by gps_unpack of 3.22 for the next
    // report, and it goes round on it for ever. No TPV, SKY or GST has one.
    const char *class = strstr(line, "\"class\":");
    if (class == NULL || strstr(class + 1, "\"class\":") != NULL) {
        return false;
    }
    memset(report, 0, sizeof *report);
    report->latitude = report->longitude = report->altitude = NAN;
    report->speed = report->track = NAN;
    report->eph = report->epx = report->epy = report->ept = NAN;
    report->latitude_sigma = report->longitude_sigma = report->hdop = NAN;

    // gps_unpack says 0 whatever it is given, and leaves what it did not find as it was.
    memset(data, 0, sizeof *data);
    memcpy(text, line, length + 1);
    unpack(text, data);

    strncpy(report->device, data->dev.path, sizeof report->device - 1);
    if (starts_with(line, "{\"class\":\"TPV\"")) {
        take_time(data->fix.time, report);
        report->mode = data->fix.mode;
#if GPSD_API_MAJOR_VERSION >= 10
        report->status = data->fix.status;
#else
        report->status = data->status;
#endif
        report->latitude = data->fix.latitude;
        report->longitude = data->fix.longitude;
#if GPSD_API_MAJOR_VERSION >= 9
        report->altitude = isfinite(data->fix.altMSL) ? data->fix.altMSL : data->fix.altitude;
#else
        report->altitude = data->fix.altitude;
#endif
        report->speed = data->fix.speed;
        report->track = data->fix.track;
#if GPSD_API_MAJOR_VERSION >= 8
        report->eph = data->fix.eph;
#endif
        report->epx = data->fix.epx;
        report->epy = data->fix.epy;
        report->ept = data->fix.ept;
    } else if (starts_with(line, "{\"class\":\"GST\"")) {
        take_time(data->gst.utctime, report);
        report->latitude_sigma = data->gst.lat_err_deviation;
        report->longitude_sigma = data->gst.lon_err_deviation;
    } else if (starts_with(line, "{\"class\":\"SKY\"")) {
        report->hdop = data->dop.hdop;
        for (int i = 0; i < MAXCHANNELS; i++) {
            const struct satellite_t *satellite = &data->skyview[i];
            if (satellite->PRN <= 0) {
                continue;
            }
            report->satellites++;
            int index = constellation(satellite);
            if (index >= 0) {
                report->in_view[index]++;
                report->used[index] += satellite->used ? 1 : 0;
            }
        }
    }
    return true;
}

// Whether the library fills its struct where our header looks. Releases share names and numbers
// (3.19 and 3.20, 3.23 and 3.24, 3.25 and 3.26) though their structs differ.
static bool fits(void)
{
    static surefoot_gps_report report;
    decode("{\"class\":\"TPV\",\"device\":\"/dev/x\",\"mode\":3,"
           "\"time\":\"2026-11-14T06:10:00.250Z\",\"lat\":37.5,\"lon\":126.25,\"alt\":31.5,"
           "\"status\":2,\"epx\":5.5,\"epy\":6.5,\"track\":7.5,\"speed\":3.5}", &report);
    if (strcmp(report.device, "/dev/x") != 0 || report.mode != 3 || !report.has_time
        || report.time_ms != 1794636600250 || report.latitude != 37.5
        || report.longitude != 126.25 || report.altitude != 31.5 || report.epx != 5.5
        || report.epy != 6.5 || report.track != 7.5 || report.speed != 3.5) {
        return false;
    }
    if (report.status != 2) {
        return false;
    }
#if GPSD_API_MAJOR_VERSION >= 9
    decode("{\"class\":\"TPV\",\"mode\":3,\"altMSL\":31.5,\"altHAE\":50.5,\"eph\":8.5}", &report);
    if (report.altitude != 31.5 || report.eph != 8.5 || report.has_time) {
        return false;
    }
#endif
    decode("{\"class\":\"SKY\",\"device\":\"/dev/x\",\"hdop\":1.5,\"satellites\":["
           "{\"PRN\":5,\"el\":10,\"az\":20,\"ss\":30,\"used\":true},"
           "{\"PRN\":70,\"el\":10,\"az\":20,\"ss\":30,\"used\":false}]}", &report);
    if (strcmp(report.device, "/dev/x") != 0 || report.hdop != 1.5 || report.satellites != 2
        || report.used[SUREFOOT_GPS_GPS] != 1 || report.in_view[SUREFOOT_GPS_GLONASS] != 1) {
        return false;
    }
    decode("{\"class\":\"GST\",\"device\":\"/dev/x\",\"time\":\"2026-11-14T06:10:00.250Z\","
           "\"lat\":1.5,\"lon\":2.5,\"alt\":3.5}", &report);
    return report.has_time && report.time_ms == 1794636600250 && report.latitude_sigma == 1.5
        && report.longitude_sigma == 2.5;
}

static void load(void)
{
    data = calloc(1, sizeof *data + SLACK);
    text = malloc(LONGEST_LINE);
    if (data == NULL || text == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            continue;
        }
        void *symbol = dlsym(library, "gps_unpack");
        if (symbol != NULL) {
            memcpy(&unpack, &symbol, sizeof unpack);
            if (fits()) {
                state = SUREFOOT_GPS_READY;
                return;
            }
        }
        state = SUREFOOT_GPS_MISMATCH;
        dlclose(library);
    }
}

enum surefoot_gps_library surefoot_gps_load(void)
{
    pthread_once(&once, load);
    return state;
}

bool surefoot_gps_decode(const char *line, surefoot_gps_report *report)
{
    if (surefoot_gps_load() != SUREFOOT_GPS_READY) {
        return false;
    }
    pthread_mutex_lock(&lock);
    bool done = decode(line, report);
    pthread_mutex_unlock(&lock);
    return done;
}
