package fatbin

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// mostPayload is what one entry may decompress to: more than any toolkit has
// made, and less than a header can claim.
const mostPayload = 1 << 30

// errConcatenated is a limit of this package: the parts' places are not kept.
var errConcatenated = errors.New("the code was compressed together with other code (--concat) and is not read")

// Payload is the entry's code, decompressed, from the bytes of the file that
// [Parse] found the entry in. It may have padding at its end.
func (e Entry) Payload(file []byte) ([]byte, error) {
	if e.Concatenated {
		return nil, errConcatenated
	}
	if e.Offset > uint64(len(file)) || e.Stored > uint64(len(file))-e.Offset {
		return nil, errors.New("the entry is not in this file")
	}
	stored := file[e.Offset : e.Offset+e.Stored]
	if e.Size > mostPayload {
		return nil, fmt.Errorf("the code for %s is said to have %d bytes", e.Code, e.Size)
	}
	var code []byte
	var err error
	switch e.Compression {
	case "":
		return stored, nil
	case "zstd":
		var decoder *zstd.Decoder
		if decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostPayload)); err != nil {
			return nil, err
		}
		defer decoder.Close()
		code, err = decoder.DecodeAll(stored, nil)
	case "lz4":
		code, err = lz4(stored, e.Size)
	}
	if err != nil {
		return nil, fmt.Errorf("the code for %s cannot be decompressed: %w", e.Code, err)
	}
	if uint64(len(code)) > e.Size {
		return nil, fmt.Errorf("the code for %s has %d bytes, and its header says %d", e.Code, len(code), e.Size)
	}
	return code, nil
}

// lz4 decompresses a block by way of the S2 format, which the library that is
// here for zstd reads.
func lz4(block []byte, size uint64) ([]byte, error) {
	var converter s2.LZ4Converter
	// An S2 block is a little longer than the same in LZ4; a few bytes more are for the header.
	room := make([]byte, 0, 2*len(block)+32)
	body, length, err := converter.ConvertBlock(room, block)
	if err != nil {
		return nil, err
	}
	if uint64(length) > size {
		return nil, errors.New("it is longer than its header says")
	}
	return s2.Decode(nil, append(binary.AppendUvarint(nil, uint64(length)), body...))
}
