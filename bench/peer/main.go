// Command bento is Bento with the components that the comparison uses, so that it builds in minutes on two cores: HTTP, Kafka and
// mappings. The engine is the published module, unchanged.
package main

import (
	"context"

	"github.com/warpstreamlabs/bento/public/service"

	_ "github.com/warpstreamlabs/bento/public/components/io"
	_ "github.com/warpstreamlabs/bento/public/components/kafka"
	_ "github.com/warpstreamlabs/bento/public/components/pure"
)

func main() { service.RunCLI(context.Background()) }
