package transcript

const nonBlocking = 0 // pipes are no files here
