package observe

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/client-go/rest"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/snapshot"
)

// Options of one Snapshot.
type Options struct {
	// Now becomes the snapshot's time.
	Now time.Time
	// PageSize is how many objects are asked for at once; zero means 500.
	PageSize int
}

const (
	defaultPageSize = 500
	// concurrent is how many kinds are listed at a time: a few, so that the API
	// server hardly notices and few pages are in memory.
	concurrent = 4
)

// Snapshot reads the cluster that cfg leads to. Its second result are warnings.
//
// A kind whose API the cluster does not have, or that the account may not list,
// is left out with a warning, but for pods and nodes: without them a plan would
// take nodes away that it only did not see to be in use. Any other failure is
// an error that names the kind; so is the end of ctx.
func Snapshot(ctx context.Context, cfg *rest.Config, o Options) (*v1alpha1.Snapshot, []string, error) {
	client, err := newLister(cfg, o.PageSize)
	if err != nil {
		return nil, nil, fmt.Errorf("connect to the cluster: %w", err)
	}
	lists, err := client.listAll(ctx, resources())
	if err != nil {
		return nil, nil, fmt.Errorf("read the cluster: %w", err)
	}
	var parts []*snapshot.Part
	for i := range lists {
		parts = append(parts, lists[i].parts...)
	}
	s, warnings, err := snapshot.Join(parts, o.Now)
	if err != nil {
		return nil, nil, fmt.Errorf("put the snapshot together: %w", err)
	}
	return s, append(omissions(lists), warnings...), nil
}

// listAll lists the resources, a few at a time. The first failure stops all.
func (l *lister) listAll(ctx context.Context, all []resource) ([]list, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	lists := make([]list, len(all))
	slots := make(chan struct{}, concurrent)
	var workers sync.WaitGroup
	for i, r := range all {
		workers.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			var err error
			if lists[i], err = l.list(ctx, r); err != nil {
				stop(err)
			}
		})
	}
	workers.Wait()
	return lists, context.Cause(ctx)
}
