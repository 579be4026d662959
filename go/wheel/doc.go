// Package wheel reads, checks and writes Python wheels.
//
// Its nouns are Name (the file name and its tags), Info (the WHEEL file),
// Headers (METADATA), Record (RECORD) and Archive (the zip file). An Archive is
// opened by Open, asked for its Problems, and read member by member; Repack
// turns it into a list of Sources under a new Name, and Write makes from these
// the one wheel that everybody gets from the same contents: members sorted,
// .dist-info last and RECORD at its end, one time, modes that follow from the
// contents, no extra fields, no folders.
//
// Specifications: the PyPA "Binary distribution format", "Recording installed
// projects", "Core metadata", "Version specifiers" and "Platform compatibility
// tags" pages, and PKWARE's APPNOTE for the zip file.
package wheel
