package shell

import "strings"

const (
	runsNamed   = "runs the named program"
	loadsCode   = "loads code from a file"
	buildsThere = "writes outside the project"
)

// compilerGuards are compilers and linkers.
var compilerGuards = []guard{
	{programs: "gcc g++ cc c++ clang clang++ gfortran gnat cpp c89 c99 tcc emcc em++ nvcc icx icpx", style: letters,
		takes: "-x -I -L -l -D -U -T -u -include -imacros -isystem -idirafter -iquote -arch -target -framework -Xassembler" +
			" -Xpreprocessor -MT -MQ", options: []option{
			{"-wrapper=", KindExec, "runs every step by the named program", nil},
			{"-B= -prefix=", KindExec, "takes the compiler's own programs from another folder", nil},
			{"-fplugin= -fpass-plugin= -fplugin-arg-*", KindExec, "loads a shared library", nil},
			{"-load= -Xclang=", KindExec, "passes an option inward, which may load a library", notAny("load", "plugin", "\x00")},
			{"-fmodule-mapper=", KindExec, "may run the named program", nil},
			{"-mllvm=", KindExec, "passes an option inward, which may load a library", notAny("load", "plugin", "\x00")},
			{"-config=", KindExec, "takes its options from a file", nil},
			{"-Wp,*", KindWrite, "writes a file of dependencies", notAny("-md", "-mmd", "-mf")},
			{"-specs=", KindExec, "takes the programs to run from a file", nil},
			{"-fuse-ld=", KindExec, "runs another linker", oneOf("bfd gold lld mold ld")},
			{"-Wl,*", KindExec, "passes options to the linker", notAny("plugin", "dynamic-linker", "-o")},
			{"-Xlinker= -for-linker=", KindExec, "passes options to the linker", notAny("plugin", "dynamic-linker", "-o")},
			{"-ccbin= --compiler-bindir=", KindExec, runsNamed, nil},
			{"-run", KindExec, "runs what it compiles", nil},
			{"-o= -output= -MF= -MJ= -dumpdir= -dumpbase= -serialize-diagnostics= -aux-info= -ftime-trace= -fprofile-dir=" +
				" -foptimization-record-file=", KindWrite, buildsThere, insideFile},
			{"@", KindExec, "takes its options from a file", nil},
		}},
	{programs: "ld ld.lld ld.gold lld gold mold", style: letters, takes: "-l -L -T -m -e -z -h -soname -rpath -arch", options: []option{
		{"-plugin= -run", KindExec, "loads a shared library or runs a program", nil},
		{"-o= -Map= -dependency-file=", KindWrite, buildsThere, insideFile},
		{"@", KindExec, "takes its options from a file", nil},
	}},
	{programs: "clang-tidy", style: words, takes: "-p -checks -header-filter -warnings-as-errors -line-filter", options: []option{
		{"-load=", KindExec, "loads a shared library", nil},
		{"-extra-arg= -extra-arg-before=", KindExec, "passes an option to the compiler", notAny("plugin", "load", "@", "\x00")},
		{"-fix -fix-errors -fix-notes", KindWrite, "rewrites source files", nil},
		{"-export-fixes= -store-check-profile=", KindWrite, writeFile, harmlessFile},
	}},
	{programs: "rustc", style: exact, takes: "-L -l --crate-name --crate-type --edition --extern --cfg --target --print -A -W -D -F", options: []option{
		{"-C= --codegen=", KindExec, "may name the linker to run", notBegun("linker", "link-arg", "\x00")},
		{"-Z=", KindExec, "may load a library", notAny("codegen-backend", "plugin", "\x00")},
		{"-o= --out-dir=", KindWrite, buildsThere, insideFile},
		{"@", KindExec, "takes its options from a file", nil},
	}},
	{programs: "rustdoc", style: exact, options: []option{
		{"--test-runtool= --runtool= --test-builder= --theme=", KindExec, runsNamed, nil},
		{"-o= --output= --out-dir=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "ghc runghc runhaskell ghci", style: letters, takes: "-package -i -X -l -L -I", options: []option{
		{"-e= -pgmF= -pgmP= -pgmL= -pgmc= -pgml= -pgma= -fplugin= -F", KindExec, "runs code or the named program", nil},
		{"-ghci-script=", KindExec, loadsCode, nil},
		{"-o= -outputdir= -odir= -hidir=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "javac", style: words, takes: "-cp -classpath --class-path -source -target --release -encoding", options: []option{
		{"-processor= -processorpath= --processor-path= -Xplugin:*", KindExec, "loads code into the compiler", nil},
		{"-J*", KindExec, "passes an option to the virtual machine", notAny("agent", "onerror", "onoutofmemory", "\x00")},
		{"-d= -s= -h=", KindWrite, buildsThere, insideFile},
		{"@", KindExec, "takes its options from a file", nil},
	}},
	{programs: "protoc", style: exact, takes: "-I --proto_path", options: []option{
		{"--plugin=", KindExec, "runs the named program", nil},
		{"-o= --descriptor_set_out= --dependency_out=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "swiftc", style: letters, takes: "-module-name -I -L", options: []option{
		{"-load-plugin-executable= -load-plugin-library= -Xfrontend= -tools-directory=", KindExec, "loads code into the compiler", nil},
		{"-o=", KindWrite, buildsThere, insideFile},
	}},
}

// buildGuards are build tools.
var buildGuards = []guard{
	{programs: "golangci-lint", style: exact, inherit: true, takes: "-E -D -j --timeout --enable --disable --build-tags --new-from-rev", options: []option{
		{"--fix", KindWrite, "rewrites source files", nil},
		{"-c= --config=", KindExec, "takes its settings, and code to load, from another file", insideFile},
		{"--cpu-profile-path= --mem-profile-path= --trace-path= --output.json.path= --output.text.path= --output.html.path=" +
			" --output.sarif.path= --output.checkstyle.path=", KindWrite, "writes a report", oneOf("stdout stderr")},
	}},
	{programs: "make gmake gnumake bmake remake", takes: "-I -o -W --include-dir --old-file --new-file --what-if" +
		" --assume-new", options: []option{
		{"-f= --file= --makefile=", KindExec, "reads another makefile", makefileInside},
		{"-C= --directory=", KindExec, "runs the makefile of another folder", insideFile},
		{"--eval= -E=", KindExec, "evaluates text as a makefile", nil},
		{"SHELL= SHELL: .SHELLFLAGS= MAKE= MAKEFLAGS= GNUMAKEFLAGS= MAKEFILES= BASH_ENV= PATH=", KindExec, "changes the programs that make runs", nil},
	}, check: checkMake},
	{programs: "ninja ninja-build", style: exact, takes: "-C -j -k -l -d -w", options: []option{
		{"-f=", KindExec, "reads another build file", makefileInside},
		{"-t=", KindExec, "runs a tool of ninja", oneOf("list targets query graph compdb commands deps missingdeps rules inputs msvc")},
	}},
	{programs: "cmake", style: letters, takes: "-S -G -T -A -B -W", options: []option{
		{"-E", KindExec, "runs a command of cmake's, which may run another", nil},
		{"-P= -C=", KindExec, "runs a script", nil},
		{"-D=", KindExec, "sets a variable, which may name a program to run", cmakeVariable},
		{"--install=", KindWrite, "installs what it has built", nil},
		{"--toolchain= --preset=", KindExec, "takes the programs to run from a file", bareName},
		{"--graphviz= --trace-redirect= --profiling-output=", KindWrite, "writes another file", insideFile},
	}},
	{programs: "ctest cpack", style: exact, takes: "-R -E -L -j -C -G", options: []option{
		{"-S= -SP= --build-and-test= --script=", KindExec, "runs a script", nil},
		{"-O= --output-log= --output-junit=", KindWrite, "writes a log", insideFile},
	}},
	{programs: "meson", style: exact, sub: "devenv|dist|install|init", options: []option{{"", KindExec, "runs commands or installs", nil}}},
	{programs: "bazel bazelisk", style: exact, inherit: true, options: []option{
		{"--run_under= --shell_executable= --workspace_status_command= --bazelrc= --test_wrapper= --credential_helper=", KindExec, "changes the programs that bazel runs", nil},
		{"--output_user_root= --output_base= --symlink_prefix=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "bazel bazelisk", sub: "run", style: exact, options: []option{{"", KindExec, "builds and runs a program", nil}}},
	{programs: "scons waf", options: []option{
		{"-f= --file= --makefile= --sconstruct= --site-dir=", KindExec, loadsCode, makefileInside},
	}},
	{programs: "just", style: exact, takes: "-d --working-directory", options: []option{
		{"-f= --justfile=", KindExec, "reads another justfile", makefileInside},
		{"--shell= --shell-arg= -c= --command= --chooser= -e --edit", KindExec, runsNamed, nil},
	}},
	{programs: "task go-task", style: exact, options: []option{{"-t= --taskfile=", KindExec, "reads another taskfile", makefileInside}}},
	{programs: "mvn mvnw mvnd", style: words, takes: "-pl -P -T -rf", options: []option{
		{"-D*", KindExec, "sets a property, which may name code or a program", notAny("exec.", "ext.class.path", "agent", "argline", "\x00")},
		{"-define=", KindExec, "sets a property, which may name code or a program", notAny("exec.", "ext.class.path", "agent", "argline", "\x00")},
		{"-f= --file= -s= --settings= -gs= --global-settings= -t= --toolchains= -gt= --global-toolchains=", KindExec, "takes what to run from another file", insideFile},
		{"-l= -log-file=", KindWrite, "writes a log file", insideFile},
		{"exec: org.codehaus.mojo:exec antrun: groovy: com.", KindExec, "runs a program", nil},
	}},
	{programs: "gradle gradlew", style: exact, takes: "-x -P --exclude-task --console --project-prop", options: []option{
		{"-I= --init-script=", KindExec, "runs a script first", nil},
		{"-b= --build-file= -c= --settings-file= --include-build=", KindExec, "runs another build", makefileInside},
		{"-g= --gradle-user-home= -p= --project-dir=", KindExec, "runs the build or scripts of another folder", insideFile},
		{"-D= --system-prop=", KindExec, "sets a property, which may name code or a program", notAny("jvmargs", "java.home", "agent", "init", "\x00")},
	}},
	{programs: "ant", style: words, options: []option{
		{"-f= -file= -buildfile=", KindExec, "runs another build", makefileInside},
		{"-lib= -logger= -listener= -inputhandler= -main= -propertyfile=", KindExec, "loads code", nil},
		{"-l= -logfile=", KindWrite, "writes a log file", insideFile},
	}},
	{programs: "dotnet", style: exact, inherit: true, options: []option{
		{"-l= --logger= -logger:* --logger:* -l:* /l: /logger:", KindExec, "loads code", notAny(".dll", "/", "\x00")},
		{"--test-adapter-path= --settings= --additionalprobingpath= --depsfile=", KindExec, loadsCode, nil},
		{"-p:* -property:* --property:* --property= /p: /property:", KindExec, "sets a property, which may name a command", notAny("event", "exec", "target", "toolpath", "toolexe", "\x00")},
	}},
	{programs: "dotnet", sub: "run|exec|fsi|script", style: exact, options: []option{{"", KindExec, "runs a program", nil}}},
	{programs: "dotnet", sub: "tool install|update|run", style: exact, options: []option{{"", KindExec, "installs or runs a program", nil}}},
	{programs: "xcodebuild", style: words, options: []option{
		{"-derivedDataPath= -resultBundlePath= -archivePath= -exportPath=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "swift", sub: "run", style: exact, options: []option{{"", KindExec, "builds and runs a program", nil}}},
}

// makefileInside reports whether a build file is one of the project's, not the
// standard input or an address.
func makefileInside(name string) bool {
	return name != "-" && !strings.HasPrefix(name, "/dev/") && !strings.Contains(name, "://") && !strings.HasPrefix(name, "oci:") &&
		!strings.HasPrefix(name, "git@") && insideFile(name)
}

// cmakeVariable reports whether "NAME=value" or "NAME:TYPE=value" names no
// program by its path and no script.
func cmakeVariable(setting string) bool {
	name, value, _ := strings.Cut(strings.ToLower(setting), "=")
	if strings.IndexByte(name, 0) >= 0 {
		return false
	}
	if strings.Contains(name, "toolchain") || strings.Contains(name, "_code") || strings.Contains(name, "include") && strings.Contains(name, "project") {
		return insideFile(value) && !strings.Contains(name, "_code")
	}
	for _, part := range [...]string{"_compiler", "_launcher", "_command", "_program", "_linker"} {
		if strings.Contains(name, part) && !strings.HasSuffix(name, "_commands") {
			return bareName(value) && !strings.ContainsAny(value, " ;")
		}
	}
	return true
}

// checkMake finds text that make hands to a shell as it reads a variable.
func checkMake(c *call) {
	for _, i := range c.operands {
		if w := c.args[i].Text; strings.Contains(w, "$(") || strings.Contains(w, "${") || strings.Contains(w, "!=") {
			c.add(i, "$(…)", KindExec, "is evaluated by make, which may run commands")
		}
	}
}
