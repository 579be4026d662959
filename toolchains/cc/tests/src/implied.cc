// A library that declares no exports: a DLL then exports what is linked into it,
// of which the runtime that exceptions need must be no part.
extern "C" int implied_answer() {
  try {
    throw 42;
  } catch (int answer) {
    return answer;
  }
}
