/* No target declares this header. */
#define HIDDEN 1
