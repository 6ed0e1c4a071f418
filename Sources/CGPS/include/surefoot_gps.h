#ifndef SUREFOOT_GPS_H
#define SUREFOOT_GPS_H
int surefoot_gps_placeholder(void);
#endif
