package benchmarks
import ("testing";"fmt";"time";"context"
 "github.com/mortise-io/mortise/model/snapshot"
 "github.com/mortise-io/mortise/model"
 "github.com/mortise-io/mortise/solver"
 "github.com/mortise-io/mortise/solver/cpsat"; "github.com/mortise-io/mortise/provider/catalog"
)
func zz(t *testing.T, name string, p *model.Problem) {
	for _, w := range []uint64{2e9, 20e9} {
	t0:=time.Now(); r,err:=cpsat.Solve(context.Background(), p, solver.Options{WorkLimit:w, Gap:0.001}); d:=time.Since(t0)
	fmt.Println(name,"shapes",len(p.Shapes),"groups",len(p.Groups),"nodes",len(p.Nodes), d, r.Stop, err, r.Score.Unplaced, r.Score.Cost, r.LowerBound, r.PlacementProved,r.GoalsProved)
	}
	t0:=time.Now(); b,_:=solver.Solve(context.Background(),p,solver.Options{Engine:"builtin"}); fmt.Println("   builtin",b.Score.Unplaced,b.Score.Cost,b.LowerBound,b.PlacementProved,b.Stop,time.Since(t0))
}
func TestZZ(t *testing.T){
	for _,c:=range []struct{g,p int}{{3,10},{5,20},{10,50}} {
		s,err:=groups(c.g,c.p); if err!=nil {t.Fatal(err)}
		if s,err=catalog.Resolve(s); err!=nil {t.Fatal(err)}; s,_ = snapshot.Expand(s)
		if len(s.InstanceTypes)==0 { if s,err=catalog.Resolve(s); err!=nil {t.Fatal(err)} }; co,err:=snapshot.Compile(s,snapshot.Options{}); if err!=nil {t.Fatal(err)}
		zz(t,fmt.Sprint(c),&co.Problem)
	}
	for _,n:=range []int{5,10,20} {
		s,err:=halfEmpty(n); if err!=nil {t.Fatal(err)}
		if len(s.InstanceTypes)==0 { if s,err=catalog.Resolve(s); err!=nil {t.Fatal(err)} }; co,err:=snapshot.Compile(s,snapshot.Options{}); if err!=nil {t.Fatal(err)}
		zz(t,fmt.Sprint("nodes ",n),&co.Problem)
	}
}
