package transcript

import (
	"encoding/json"
	"strconv"
	"time"
)

// micros reads a time as session files have it: RFC 3339 as a text, or
// milliseconds since the Unix epoch as a number. It is 0 for anything else, and
// for times before 1970.
func micros(raw json.RawMessage) int64 {
	if len(raw) < 2 {
		return 0
	}
	if raw[0] == '"' {
		t, err := time.Parse(time.RFC3339Nano, string(raw[1:len(raw)-1]))
		if err != nil {
			return 0
		}
		return max(t.UnixMicro(), 0)
	}
	ms, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || ms < 0 || ms > maxMillis {
		return 0
	}
	return int64(ms * 1e3)
}

// maxMillis is the end of the year 9999, the last that RFC 3339 can write.
const maxMillis = 253402300799999
