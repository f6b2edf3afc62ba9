package observe

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/mortise-io/mortise/model/snapshot"
)

// lister lists what an API server has.
type lister struct {
	client   rest.Interface
	pageSize int
}

// list is all objects of one resource, or why it is left out.
type list struct {
	resource
	parts   []*snapshot.Part
	omitted string
}

// Why a resource is left out.
const (
	absent    = "the cluster has no such API"
	forbidden = "forbidden: the account may not list them"
)

// newLister connects with the configuration's credentials. Where it does not
// limit the rate of requests, the limit is that of kubectl.
func newLister(cfg *rest.Config, pageSize int) (*lister, error) {
	cfg = rest.CopyConfig(cfg)
	cfg.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	cfg.AcceptContentTypes, cfg.ContentType = "application/json", "application/json"
	cfg.WarningHandlerWithContext, cfg.WarningHandler = nil, rest.NoWarnings{} // of versions to be retired
	if cfg.QPS == 0 && cfg.RateLimiter == nil {
		cfg.QPS, cfg.Burst = 50, 300
	}
	client, err := rest.UnversionedRESTClientFor(cfg)
	if err != nil {
		return nil, err
	}
	return &lister{client: client, pageSize: cmp.Or(pageSize, defaultPageSize)}, nil
}

// list reads the whole resource. A list in pages is of one version of the
// cluster, which the server forgets after some minutes: where that is sooner
// than the last page, the list is read again in one piece, as nothing of the
// first may be kept.
func (l *lister) list(ctx context.Context, r resource) (list, error) {
	parts, err := l.pages(ctx, r, l.pageSize)
	if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
		parts, err = l.pages(ctx, r, 0)
	}
	switch {
	case err == nil:
		return list{resource: r, parts: parts}, nil
	case apierrors.IsForbidden(err) && !r.essential:
		return list{resource: r, omitted: forbidden}, nil
	case apierrors.IsNotFound(err) && !r.essential:
		return list{resource: r, omitted: absent}, nil
	}
	return list{}, fmt.Errorf("list %s: %w", r, err)
}

// pages reads the resource in pages of the size; zero means in one.
func (l *lister) pages(ctx context.Context, r resource, size int) ([]*snapshot.Part, error) {
	var parts []*snapshot.Part
	for next := ""; ; {
		request := l.client.Get().AbsPath(r.path())
		if size > 0 {
			request = request.Param("limit", strconv.Itoa(size))
		}
		if next != "" {
			request = request.Param("continue", next)
		}
		answer := request.Do(ctx)
		if err := answer.Error(); err != nil {
			return nil, err
		}
		page, err := answer.Raw()
		if err != nil {
			return nil, err
		}
		part, err := snapshot.DecodePart("cluster", page)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		if next, err = nextPage(page); err != nil || next == "" {
			return parts, err
		}
	}
}

// nextPage is the token of the page that follows; empty if none does.
func nextPage(page []byte) (string, error) {
	var head struct {
		Metadata metav1.ListMeta `json:"metadata"`
	}
	if err := json.Unmarshal(page, &head); err != nil {
		return "", fmt.Errorf("read the list's metadata: %w", err)
	}
	return head.Metadata.Continue, nil
}
