// Package index makes a package index out of wheels: static files that pip and
// uv install from, with no server program behind them.
//
// Its primary type is Index, a set of Files by project. Its life: New or
// ReadSite starts it, Add puts wheels in, Merge takes in what was published
// before, Yank marks what should not be chosen any more, and Write renders the
// site:
//
//	index.html                        what this is, for people
//	links.html                        every wheel on one page, for --find-links
//	simple/index.html, index.json     the projects, for --index-url
//	simple/PROJECT/index.html, .json  the project's wheels
//	files/WHEEL                       the wheels, unless they lie elsewhere
//	files/WHEEL.metadata              METADATA, so that resolving loads no wheel
//	set.json                          the set of this build (type Set)
//
// The bytes of every page follow from the files in the index alone.
//
// Specifications: the PyPA "Simple repository API" (PEP 503, 592, 629, 658,
// 691, 700 and 714).
package index
