package shell

import "strings"

// goTakes are harmless options of the go tool that take a value.
const goTakes = "-run -bench -count -timeout -tags -p -parallel -cpu -mod -coverpkg -covermode -f -benchtime -vet -gcflags" +
	" -asmflags -skip -list -shuffle -fuzz -fuzztime -buildmode -installsuffix -reuse -blockprofilerate -test.run -pkg"

// goGuards are the go command's.
var goGuards = []guard{
	{programs: "go", style: words, options: []option{
		{"-C=", KindExec, "works on the code of another folder", insideFile},
	}},
	{programs: "go", sub: "test", style: words, options: []option{{"-o=", KindWrite, buildsThere, harmlessFile}}},
	{programs: "go", sub: "build|test|vet|list|run|install|get|generate|fmt|fix|clean|doc|tool|bug|work", style: words, takes: goTakes, ends: "-args", plain: "-args", options: []option{
		{"-C=", KindExec, "works on the code of another folder", insideFile},
		{"-exec=", KindExec, "runs the built program by the named one", nil},
		{"-toolexec=", KindExec, "runs every tool by the named program", nil},
		{"-vettool=", KindExec, runsNamed, nil},
		{"-overlay= -modfile=", KindExec, "builds other files than those in the project", nil},
		{"-ldflags= -gccgoflags=", KindExec, "passes options to the linker", notAny("-extld", "-fplugin", "-wrapper", "-tmpdir")},
		{"-compiler=", KindExec, "runs another compiler", oneOf("gc")},
		{"-o= -coverprofile= -cpuprofile= -memprofile= -blockprofile= -mutexprofile= -trace= -outputdir= -pkgdir= -debug-trace= -debug-actiongraph= -debug-runtime-trace= -test.coverprofile=" +
			" -test.cpuprofile= -test.memprofile= -test.testlogfile=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "go", sub: "run", style: words, first: true, options: []option{{"", KindExec, "compiles and runs a program", nil}}},
	{programs: "go", sub: "generate", style: words, options: []option{{"", KindExec, "runs the commands in the source's comments", nil}}},
	{programs: "go", sub: "env", style: words, options: []option{{"-w -u", KindState, "changes go's settings for good", nil}}},
	{programs: "go", sub: "install", style: words, check: checkGoInstall},
	{programs: "go", sub: "get", style: words, options: []option{{"", KindState, "changes what the module depends on", nil}}},
	{programs: "go", sub: "mod vendor", style: words, options: []option{{"-o=", KindWrite, buildsThere, insideFile}}},
	{programs: "go", sub: "mod|work edit", style: words, options: []option{
		{"-replace= -require= -exclude= -retract= -module= -toolchain= -use= -tool= -dropreplace= -droprequire= -dropexclude= -dropuse=" +
			" -droptool=", KindState, "changes what the module is built from", nil},
	}},
	{programs: "go", sub: "clean", style: words, options: []option{{"-modcache", KindState, "deletes all fetched modules", nil}}},
	{programs: "go", sub: "doc", style: words, options: []option{{"-http", KindNet, "serves to the network", nil}}},
	{programs: "go", sub: "bug", style: words, options: []option{{"", KindExec, "starts the configured browser", nil}}},
	{programs: "go", sub: "tool", style: words, check: checkGoTool},
	{programs: "go", sub: "tool compile|asm|link|cgo|pack|cover|fix|vet", style: words, first: true, takes: "-p -I -D -importcfg -mode -i -pkg -html -func", options: []option{
		{"-o= -objdir= -cpuprofile= -memprofile= -traceprofile= -blockprofile= -linkobj= -asmhdr= -tmpdir=", KindWrite, buildsThere, insideFile},
		{"-extld= -extldflags= -toolexec= -installsuffix=", KindExec, "changes the programs it runs", nil},
	}},
	{programs: "go", sub: "tool covdata", style: words, takes: "-i -pkg", options: []option{{"-o=", KindWrite, buildsThere, insideFile}}},
	{programs: "go", sub: "tool test2json", style: words, first: true, takes: "-p", check: checkTest2JSON},
	{programs: "go", sub: "tool trace", style: words, options: []option{{"-http=", KindNet, "serves to the network", nil}}},
	{programs: "go", sub: "tool dist test|install|bootstrap|clean", style: words, options: []option{{"", KindExec, "builds or changes go itself", nil}}},
	{programs: "go", sub: "tool pprof", style: words, options: []option{
		{"-http=", KindNet, "serves to the network", nil},
		{"-tools= -output=", KindExec, "changes the programs it runs or what it writes", nil},
	}},
}

// checkGoInstall finds a program that is fetched from elsewhere.
func checkGoInstall(c *call) {
	for _, i := range c.operands {
		if strings.ContainsRune(c.args[i].Text, '@') {
			c.addOperand(i, KindExec, "fetches and installs a program")
		}
	}
}

// goTools are the tools that come with go and run nothing else.
var goTools = oneOf("addr2line asm buildid cgo compile covdata cover dist doc fix link nm objdump pack pprof preprofile trace vet test2json")

// checkGoTool finds tools that are not go's own: a path, or a tool of the module.
func checkGoTool(c *call) {
	if len(c.operands) > 0 && !goTools(c.text(0)) && !strings.HasPrefix(c.text(0), "\x00") {
		c.addOperand(c.operands[0], KindExec, "runs a tool that is not go's own")
	}
}

// checkTest2JSON finds a program that go tool test2json runs.
func checkTest2JSON(c *call) {
	if len(c.operands) > 0 {
		c.addOperand(c.operands[0], KindExec, "runs the named program")
	}
}
