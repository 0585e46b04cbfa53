// Command tlog-client reads a public log by C2SP tlog-tiles and checks it with the packages note and tlog of
// golang.org/x/mod/sumdb: the signature of the checkpoint, the tiles, inclusion and consistency proofs, and the entries.
//
//	tlog-client ADDRESS VKEY [PROOFS]
//
// PROOFS is a file with proofs of the service itself, see ownProofs. The result is one JSON object. Any fault ends the
// command with exit code 1.
//
// It builds without modules: GO111MODULE=off GOPATH=/usr/share/gocode (Debian: golang-go, golang-golang-x-mod-dev).
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Height of the tiles of C2SP tlog-tiles.
const tileHeight = 8

// The client computes about this many inclusion proofs and this many consistency proofs, in even steps.
const proofs = 400

// ownProofs are proofs that the service computed.
type ownProofs struct {
	Inclusion []struct {
		Index, Size int64
		Path        []tlog.Hash
	}
	Consistency []struct {
		From, To int64
		Path     []tlog.Hash
	}
}

type result struct {
	Origin         string `json:"origin"`
	Size           int64  `json:"size"`
	FullTiles      int    `json:"fullTiles"`
	PartialTiles   int    `json:"partialTiles"`
	Records        int64  `json:"records"`
	Inclusions     int    `json:"inclusions"`
	Consistencies  int    `json:"consistencies"`
	OwnInclusion   int    `json:"ownInclusion"`
	OwnConsistency int    `json:"ownConsistency"`
}

// client reads tiles of an address, each once.
type client struct {
	address string
	tiles   map[tlog.Tile][]byte
	counts  *result
}

func (c *client) Height() int { return tileHeight }

func (c *client) SaveTiles([]tlog.Tile, [][]byte) {}

// ReadTiles implements tlog.TileReader. The path of a tile has no height in C2SP tlog-tiles.
func (c *client) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	all := make([][]byte, len(tiles))
	for place, tile := range tiles {
		data, ok := c.tiles[tile]
		if !ok {
			path := strings.TrimPrefix(tile.Path(), fmt.Sprintf("tile/%d/", tileHeight))
			var err error
			if data, err = c.read("tile/" + path); err != nil {
				return nil, err
			}
			c.tiles[tile] = data
			c.count(tile)
		}
		all[place] = data
	}
	return all, nil
}

func (c *client) count(tile tlog.Tile) {
	if tile.W == 1<<tileHeight {
		c.counts.FullTiles++
	} else {
		c.counts.PartialTiles++
	}
}

func (c *client) read(path string) ([]byte, error) {
	answer, err := http.Get(c.address + "/" + path)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET %s: %s", path, answer.Status)
	}
	return io.ReadAll(answer.Body)
}

// checkpoint returns the signed tree.
func (c *client) checkpoint(vkey string) (tlog.Tree, error) {
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return tlog.Tree{}, err
	}
	text, err := c.read("checkpoint")
	if err != nil {
		return tlog.Tree{}, err
	}
	opened, err := note.Open(text, note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != verifier.Name() {
		return tlog.Tree{}, fmt.Errorf("not a checkpoint of %s: %q", verifier.Name(), opened.Text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	c.counts.Origin, c.counts.Size = lines[0], size
	return tlog.Tree{N: size, Hash: root}, err
}

// entries returns the data of all records, from the tiles of entries.
func (c *client) entries(size int64) ([][]byte, error) {
	var records [][]byte
	for first := int64(0); first < size; first += 1 << tileHeight {
		width := size - first
		if width > 1<<tileHeight {
			width = 1 << tileHeight
		}
		tile := tlog.Tile{H: tileHeight, L: -1, N: first >> tileHeight, W: int(width)}
		path := strings.TrimPrefix(tile.Path(), fmt.Sprintf("tile/%d/data/", tileHeight))
		data, err := c.read("tile/entries/" + path)
		if err != nil {
			return nil, err
		}
		c.count(tile)
		for ; width > 0; width-- {
			if len(data) < 2 || len(data) < 2+int(binary.BigEndian.Uint16(data)) {
				return nil, fmt.Errorf("the entries of %s end within an entry", path)
			}
			end := 2 + int(binary.BigEndian.Uint16(data))
			records = append(records, data[2:end])
			data = data[end:]
		}
		if len(data) > 0 {
			return nil, fmt.Errorf("%s has %d bytes after its entries", path, len(data))
		}
	}
	return records, nil
}

// storedHashes are the hashes of a tree in the order of tlog.
type storedHashes []tlog.Hash

func (s storedHashes) ReadHashes(places []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(places))
	for index, place := range places {
		found[index] = s[place]
	}
	return found, nil
}

// checkRoot computes the root from the entries alone, because tlog.TileHashReader of golang.org/x/mod 0.7.0 misses the
// check of some tiles: those that follow when two subtrees of the root are in one tile.
func checkRoot(tree tlog.Tree, records [][]byte) error {
	var stored storedHashes
	for index, record := range records {
		added, err := tlog.StoredHashes(int64(index), record, stored)
		if err != nil {
			return err
		}
		stored = append(stored, added...)
	}
	root, err := tlog.TreeHash(tree.N, stored)
	if err == nil && root != tree.Hash {
		err = fmt.Errorf("the entries do not lead to the root of the checkpoint")
	}
	return err
}

// checkRecords compares each entry with its leaf, and proves the inclusion of some records.
func (c *client) checkRecords(tree tlog.Tree, hashes tlog.HashReader) error {
	records, err := c.entries(tree.N)
	if err != nil {
		return err
	}
	if err := checkRoot(tree, records); err != nil {
		return err
	}
	for first := int64(0); first < tree.N; first += 1 << tileHeight {
		var places []int64
		for index := first; index < tree.N && index < first+1<<tileHeight; index++ {
			places = append(places, tlog.StoredHashIndex(0, index))
		}
		leaves, err := hashes.ReadHashes(places)
		if err != nil {
			return err
		}
		for offset, leaf := range leaves {
			index := first + int64(offset)
			if tlog.RecordHash(records[index]) != leaf {
				return fmt.Errorf("entry %d does not have the leaf hash in the tile", index)
			}
			c.counts.Records++
		}
	}
	step := 1 + tree.N/proofs
	for index := tree.N - 1; index >= 0; index -= step {
		proof, err := tlog.ProveRecord(tree.N, index, hashes)
		if err != nil {
			return err
		}
		hash := tlog.RecordHash(records[index])
		if err := tlog.CheckRecord(proof, tree.N, tree.Hash, index, hash); err != nil {
			return fmt.Errorf("record %d: %w", index, err)
		}
		c.counts.Inclusions++
	}
	return nil
}

func (c *client) checkGrowth(tree tlog.Tree, hashes tlog.HashReader) error {
	step := 1 + tree.N/proofs
	for older := tree.N; older > 0; older -= step {
		root, err := tlog.TreeHash(older, hashes)
		if err != nil {
			return err
		}
		proof, err := tlog.ProveTree(tree.N, older, hashes)
		if err != nil {
			return err
		}
		if err := tlog.CheckTree(proof, tree.N, tree.Hash, older, root); err != nil {
			return fmt.Errorf("tree of %d: %w", older, err)
		}
		c.counts.Consistencies++
	}
	return nil
}

// checkOwn checks the proofs of the service against roots that the client computes from the tiles.
func (c *client) checkOwn(file string, hashes tlog.HashReader) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var proofs ownProofs
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&proofs); err != nil {
		return err
	}
	for _, one := range proofs.Inclusion {
		root, err := tlog.TreeHash(one.Size, hashes)
		if err != nil {
			return err
		}
		leaf, err := hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, one.Index)})
		if err != nil {
			return err
		}
		if err := tlog.CheckRecord(one.Path, one.Size, root, one.Index, leaf[0]); err != nil {
			return fmt.Errorf("own proof of record %d in %d: %w", one.Index, one.Size, err)
		}
		c.counts.OwnInclusion++
	}
	for _, one := range proofs.Consistency {
		older, err := tlog.TreeHash(one.From, hashes)
		if err != nil {
			return err
		}
		newer, err := tlog.TreeHash(one.To, hashes)
		if err != nil {
			return err
		}
		if err := tlog.CheckTree(one.Path, one.To, newer, one.From, older); err != nil {
			return fmt.Errorf("own proof from %d to %d: %w", one.From, one.To, err)
		}
		c.counts.OwnConsistency++
	}
	return nil
}

func run(arguments []string) (*result, error) {
	if len(arguments) < 2 || len(arguments) > 3 {
		return nil, fmt.Errorf("use: tlog-client ADDRESS VKEY [PROOFS]")
	}
	counts := &result{}
	c := &client{address: arguments[0], tiles: map[tlog.Tile][]byte{}, counts: counts}
	tree, err := c.checkpoint(arguments[1])
	if err != nil {
		return nil, err
	}
	hashes := tlog.TileHashReader(tree, c)
	if err := c.checkRecords(tree, hashes); err != nil {
		return nil, err
	}
	if err := c.checkGrowth(tree, hashes); err != nil {
		return nil, err
	}
	if len(arguments) == 3 {
		if err := c.checkOwn(arguments[2], hashes); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

func main() {
	log.SetFlags(0)
	counts, err := run(os.Args[1:])
	if err != nil {
		log.Fatalf("tlog-client: %v", err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(counts); err != nil {
		log.Fatal(err)
	}
}
