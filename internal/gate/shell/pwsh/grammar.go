package pwsh

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// context is where in a line a construct stands. Several may be joined.
type context uint8

const (
	inStatement context = 1 << iota // at the beginning of a statement
	inElement                       // behind a bar
	inName                          // the name of a command
	inArgument                      // a word behind the name
	inOperand                       // a value in an expression
	inQuoted                        // in double quotes, or within a word
	inTarget                        // behind > or >>
	inTaken                         // an argument of a command that takes script blocks

	inWordly = inArgument | inOperand | inTarget
)

// form is a construct of the language.
type form uint8

const (
	formCommand form = iota
	formCall
	formKeyword
	formOtherKeyword
	formLocal
	formEnvironment
	formPreference
	formAssignment
	formString
	formHereString
	formExpandedHere
	formEscape
	formNameEscape
	formPlainVariable
	formOtherVariable
	formProperty
	formIndex
	formMember
	formMethod
	formStatic
	formType
	formOperator
	formOtherOperator
	formParens
	formSubexpression
	formQuotedText
	formHashTable
	formBlock
	formSplat
	formParameter
	formVerbatim
	formSetter
	formRedirection
	formInput
	formNumberWord
	formPattern
	formGlued
	formStray
)

const (
	runsAnything = "can run code that no rule names"
	readsApart   = "PowerShell's versions, or its contexts, read in different ways"
	changesNames = "can change what the commands after it mean"
)

// grammar is the part of the language that is understood: each construct
// with the contexts in which it is. Everything else asks, for the reason given
// here. The constructs and their contexts are those of the Windows PowerShell
// Language Specification 3.0, chapters 2 (lexical structure), 7 (expressions)
// and 8 (statements), of about_Parsing, about_Quoting_Rules, about_Operators,
// about_Variables, about_Redirection and about_Script_Blocks, and of
// PowerShell's own tokenizer.cs and Parser.cs where these are silent: which
// characters end a word, that a member may follow any string, number or
// parenthesis, that $( in double quotes ends by counting parentheses.
var grammar = [...]struct {
	name string
	in   context
	why  string
}{
	formCommand:       {"a command", inStatement | inElement, "cannot stand there"},
	formCall:          {"& or . before a command", inStatement | inElement, "cannot stand there"},
	formKeyword:       {"a keyword", inStatement, "cannot stand there"},
	formOtherKeyword:  {"the keyword", 0, changesNames},
	formLocal:         {"an assignment to a local variable", inStatement, "cannot stand there"},
	formEnvironment:   {"an assignment to an environment variable", inStatement, changesNames},
	formPreference:    {"an assignment to a preference", inStatement, changesNames},
	formAssignment:    {"an assignment to something other than a plain local variable", 0, changesNames},
	formString:        {"a string", inWordly | inName, "cannot stand there"},
	formHereString:    {"a here-string", inWordly, "cannot stand there"},
	formExpandedHere:  {"a here-string with expansions", 0, "is read by lines of its own"},
	formEscape:        {"an escape by a backtick", inWordly | inQuoted, readsApart},
	formNameEscape:    {"a backtick in a name", 0, "hides what the name is"},
	formPlainVariable: {"a variable", inWordly | inName | inQuoted, "cannot stand there"},
	formOtherVariable: {"a special variable, or one of another drive", 0, "can be a file, a function, or a way into PowerShell itself"},
	formProperty:      {"a property of a variable", inArgument | inOperand, "cannot be told there"},
	formIndex:         {"an index", inArgument | inOperand, "cannot be told there"},
	formMember:        {"a member of a value", 0, runsAnything},
	formMethod:        {"a call of a method", 0, runsAnything},
	formStatic:        {"a static member", 0, runsAnything},
	formType:          {"a type or a cast", 0, runsAnything},
	formOperator:      {"an operator", inOperand, "cannot stand there"},
	formOtherOperator: {"an operator", 0, "is not known to be harmless"},
	formParens:        {"parentheses", inWordly | inName, "cannot stand there"},
	formSubexpression: {"a subexpression", inWordly | inName | inQuoted, "cannot stand there"},
	formQuotedText:    {"quotes, backticks or comments within $(…) within a string or a word", 0, "are read twice, each time in another way"},
	formHashTable:     {"a hash table", inArgument | inOperand, "cannot stand there"},
	formBlock:         {"a script block for something that is not known to take one", inTaken, "may be run later, elsewhere, or as text"},
	formSplat:         {"splatting", 0, "adds words that cannot be told"},
	formParameter:     {"a parameter", inArgument, "cannot stand there"},
	formVerbatim:      {"--%", 0, "ends PowerShell's own reading"},
	formSetter:        {"a parameter that sets a variable", 0, "changes a value behind the line's back"},
	formRedirection:   {"a redirection", inArgument | inOperand, "cannot stand there"},
	formInput:         {"<", 0, "PowerShell does not have"},
	formNumberWord:    {"a word that begins like a number", 0, readsApart},
	formPattern:       {"a pattern in a command's name", 0, "can be any file"},
	formGlued:         {"something right behind the end of a word", 0, "is read in different ways in different places"},
	formStray:         {"a character", 0, "cannot stand there"},
}

// keywords are the reserved words (about_Reserved_Words, and the table of
// tokenizer.cs). Those that are understood do nothing but order what stands in
// their parentheses and blocks.
var keywords = map[string]bool{
	"if": true, "elseif": true, "else": true, "foreach": true, "for": true, "while": true, "do": true, "until": true,
	"switch": true, "try": true, "catch": true, "finally": true, "return": true, "throw": true, "exit": true, "break": true, "continue": true,
	"function": false, "filter": false, "workflow": false, "class": false, "enum": false, "using": false, "param": false, "trap": false,
	"data": false, "begin": false, "process": false, "end": false, "dynamicparam": false, "clean": false, "configuration": false,
	"parallel": false, "sequence": false, "inlinescript": false, "define": false, "from": false, "var": false,
}

// operatorNames are the operators between values, each also with c or i in
// front, and those before a value (about_Operators). Those of types (-as, -is)
// are not among them.
const (
	operatorNames  = "eq ne gt ge lt le like notlike match notmatch contains notcontains in notin replace split join f and or xor band bor bxor shl shr"
	unaryOperators = "not bnot split csplit isplit join"
)

// freeVariables are the automatic variables that are plain values
// (about_Automatic_Variables). The others lead into PowerShell itself.
const freeVariables = "_ psitem true false null ? lastexitcode matches home pid pwd psscriptroot pscommandpath psversiontable psedition pshome psculture psuiculture iswindows islinux ismacos iscoreclr"

// otherVariables are the further automatic and preference variables, which
// are neither read nor assigned (about_Automatic_Variables,
// about_Preference_Variables, SpecialVariables.cs). So are all whose names
// begin with ps or end in preference.
const otherVariables = "$ ^ args input this error event eventargs eventsubscriber sender sourceargs sourceeventargs executioncontext host myinvocation stacktrace " +
	"nestedpromptlevel ofs outputencoding errorview shellid switch foreach profile enabledexperimentalfeatures currentlyexecutingcommand " +
	"maximumhistorycount maximumaliascount maximumdrivecount maximumerrorcount maximumfunctioncount maximumvariablecount formatenumerationlimit " +
	"verbosehelperrors transcript logcommandhealthevent logcommandlifecycleevent logenginehealthevent logenginelifecycleevent logproviderhealthevent " +
	"logproviderlifecycleevent logsettingsevent"

// quietPreferences are preferences that a line may set to one of
// quietValues: they decide what is shown, and whether an error ends the line.
const (
	quietPreferences = "erroractionpreference progresspreference warningpreference verbosepreference informationpreference debugpreference"
	quietValues      = "stop continue silentlycontinue ignore"
)

// blockTakers are the commands that take script blocks and run them here and now,
// each object by each (about_Script_Blocks, and the commands' own pages).
const blockTakers = "foreach-object where-object sort-object group-object measure-command"

// The parameters of ForEach-Object that are followed by blocks, by nothing, or
// by a value. Any other word names a member, which is called when it is a
// method.
const (
	eachBlocks = "-begin -process -end -remainingscripts -parallel -asjob -usenewrunspace -verbose -debug -whatif -confirm"
	eachValues = "-throttlelimit -timeoutseconds -inputobject -erroraction -ea -warningaction -wa -informationaction -infa"
)

// setters are the parameters, of all cmdlets or of some, that name a variable
// in which something is left (about_CommonParameters, Tee-Object,
// Invoke-WebRequest). setterAliases are their short forms.
var setters = strings.Fields("-outvariable -errorvariable -warningvariable -informationvariable -pipelinevariable -sessionvariable -responseheadersvariable -statuscodevariable")

const setterAliases = "-ov -ev -wv -iv -pv -sv -rhv"

// guardEntry is what is known of commands that do more than a rule for their name
// says: a rule with a wildcard does not carry them unless it names them. Of
// those that change names or variables, no rule carries one.
type guardEntry struct {
	commands string // names, or verbs with -*
	why      string
	kind     catalog.Kind
	never    bool
}

// guardEntries is written from the commands' own pages.
var guardEntries = []guardEntry{
	{"set-alias new-alias import-alias", "changes what a name means", catalog.KindExec, true},
	{"set-variable new-variable clear-variable remove-variable", "sets a variable by its name", catalog.KindState, true},
	{"add-type", "compiles and loads code", catalog.KindExec, false},
	{"new-object", "makes an object of any type, with whatever its constructor does", catalog.KindExec, false},
	{"invoke-item", "opens a file with the program that it belongs to", catalog.KindExec, false},
	{"invoke-command enter-pssession new-pssession connect-pssession receive-pssession import-pssession", "runs commands in another session", catalog.KindExec, false},
	{"start-job start-threadjob", "runs commands aside", catalog.KindExec, false},
	{"register-*", "runs something when an event happens", catalog.KindExec, false},
	{"set-psbreakpoint", "runs something when a line is reached", catalog.KindExec, false},
	{"new-module import-module update-typedata update-formatdata add-member", "brings code into the session", catalog.KindExec, false},
	{"invoke-history", "runs an earlier command again", catalog.KindExec, false},
	{"invoke-cimmethod invoke-wmimethod set-wmiinstance new-ciminstance set-ciminstance", "calls the system's own objects", catalog.KindExec, false},
	{"trace-command", "runs a command that is named by a parameter", catalog.KindExec, false},
	{"set-item clear-item", "sets an alias, a function, a variable or an environment variable", catalog.KindExec, false},
	{"new-psdrive", "gives a drive another meaning", catalog.KindState, false},
}

// readingVerbs begin the names of cmdlets that change nothing in a drive.
const readingVerbs = "get test resolve select measure where sort group format foreach compare convertfrom convertto split join write out"

// drives are the drives, by their providers' names too, in which an item is a
// name's meaning (about_Providers).
var drives = []string{"alias:", "function:", "variable:", "env:", "alias::", "function::", "variable::", "environment::"}
