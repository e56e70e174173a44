package points

import (
	"encoding/json"
	"os"
)

// MaxMessage is the longest message that servers and clients take: the map is longer than their defaults.
const MaxMessage = 64 << 20

// Load reads the map from a JSON array.
func Load(path string) (*GeoPointList, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list := &GeoPointList{}
	return list, json.Unmarshal(text, &list.Value)
}
