#ifndef SUREFOOT_GPS_H
#define SUREFOOT_GPS_H

#include <stdbool.h>
#include <stdint.h>

// libgps behind a flat struct: its own structs change with each release of gpsd, this one does
// not. The library is loaded at first use, so that the program starts and replays NMEA without it.

#define SUREFOOT_GPS_PATH 256
#define SUREFOOT_GPS_CONSTELLATIONS 7

enum surefoot_gps_library {
    SUREFOOT_GPS_READY = 0,
    // No libgps is installed.
    SUREFOOT_GPS_MISSING = 1,
    // One is installed, of another release than the gps.h this was compiled with.
    SUREFOOT_GPS_MISMATCH = 2,
};

// Index into the counts by constellation.
enum surefoot_gps_constellation {
    SUREFOOT_GPS_GPS, SUREFOOT_GPS_GLONASS, SUREFOOT_GPS_GALILEO, SUREFOOT_GPS_BEIDOU,
    SUREFOOT_GPS_QZSS, SUREFOOT_GPS_NAVIC, SUREFOOT_GPS_SBAS,
};

// What one line said. Numbers not given are NaN, whatever gpsd's own mark for it is.
typedef struct {
    char device[SUREFOOT_GPS_PATH];
    // TPV and GST; milliseconds since 1970.
    bool has_time;
    int64_t time_ms;
    // TPV: 0 not seen, 1 no fix, 2 and 3 dimensions; status as in gpsd_json(5).
    int mode;
    int status;
    double latitude, longitude;
    // Meters above mean sea level.
    double altitude;
    double speed, track;
    double eph, epx, epy, ept;
    // GST: standard deviations in meters.
    double latitude_sigma, longitude_sigma;
    // SKY.
    double hdop;
    int satellites;
    int used[SUREFOOT_GPS_CONSTELLATIONS];
    int in_view[SUREFOOT_GPS_CONSTELLATIONS];
} surefoot_gps_report;

// Loads libgps and checks that it fills its structs as we read them. Cheap after the first call.
enum surefoot_gps_library surefoot_gps_load(void);

// Decodes one TPV, SKY or GST: a whole JSON object, compact, its class first, ended by NUL.
// False if the library is not there, or if the line is no report of these. May be called from any
// thread.
bool surefoot_gps_decode(const char *line, surefoot_gps_report *report);

#endif
