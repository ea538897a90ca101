package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/risk"
)

// psContext is where in a line a construct stands. Several may be joined.
type psContext uint8

const (
	psStatement psContext = 1 << iota // at the beginning of a statement
	psElement                         // behind a bar
	psName                            // the name of a command
	psArgument                        // a word behind the name
	psOperand                         // a value in an expression
	psQuoted                          // in double quotes, or within a word
	psTarget                          // behind > or >>
	psTaken                           // an argument of a command that takes script blocks

	psWordly = psArgument | psOperand | psTarget
)

// psForm is a construct of the language.
type psForm uint8

const (
	psCommand psForm = iota
	psCall
	psKeyword
	psOtherKeyword
	psLocal
	psEnvironment
	psPreference
	psAssignment
	psString
	psHereString
	psExpandedHere
	psEscape
	psNameEscape
	psPlainVariable
	psOtherVariable
	psProperty
	psIndex
	psMember
	psMethod
	psStatic
	psType
	psOperator
	psOtherOperator
	psParens
	psSubexpression
	psQuotedText
	psHashTable
	psBlock
	psSplat
	psParameter
	psVerbatim
	psSetter
	psRedirection
	psInput
	psNumberWord
	psPattern
	psGlued
	psStray
)

const (
	runsAnything = "can run code that no rule names"
	readsApart   = "PowerShell's versions, or its contexts, read in different ways"
	changesNames = "can change what the commands after it mean"
)

// psGrammar is the part of the language that is understood: each construct
// with the contexts in which it is. Everything else asks, for the reason given
// here. The constructs and their contexts are those of the Windows PowerShell
// Language Specification 3.0, chapters 2 (lexical structure), 7 (expressions)
// and 8 (statements), of about_Parsing, about_Quoting_Rules, about_Operators,
// about_Variables, about_Redirection and about_Script_Blocks, and of
// PowerShell's own tokenizer.cs and Parser.cs where these are silent: which
// characters end a word, that a member may follow any string, number or
// parenthesis, that $( in double quotes ends by counting parentheses.
var psGrammar = [...]struct {
	name string
	in   psContext
	why  string
}{
	psCommand:       {"a command", psStatement | psElement, "cannot stand there"},
	psCall:          {"& or . before a command", psStatement | psElement, "cannot stand there"},
	psKeyword:       {"a keyword", psStatement, "cannot stand there"},
	psOtherKeyword:  {"the keyword", 0, changesNames},
	psLocal:         {"an assignment to a local variable", psStatement, "cannot stand there"},
	psEnvironment:   {"an assignment to an environment variable", psStatement, changesNames},
	psPreference:    {"an assignment to a preference", psStatement, changesNames},
	psAssignment:    {"an assignment to something other than a plain local variable", 0, changesNames},
	psString:        {"a string", psWordly | psName, "cannot stand there"},
	psHereString:    {"a here-string", psWordly, "cannot stand there"},
	psExpandedHere:  {"a here-string with expansions", 0, "is read by lines of its own"},
	psEscape:        {"an escape by a backtick", psWordly | psQuoted, readsApart},
	psNameEscape:    {"a backtick in a name", 0, "hides what the name is"},
	psPlainVariable: {"a variable", psWordly | psName | psQuoted, "cannot stand there"},
	psOtherVariable: {"a special variable, or one of another drive", 0, "can be a file, a function, or a way into PowerShell itself"},
	psProperty:      {"a property of a variable", psArgument | psOperand, "cannot be told there"},
	psIndex:         {"an index", psArgument | psOperand, "cannot be told there"},
	psMember:        {"a member of a value", 0, runsAnything},
	psMethod:        {"a call of a method", 0, runsAnything},
	psStatic:        {"a static member", 0, runsAnything},
	psType:          {"a type or a cast", 0, runsAnything},
	psOperator:      {"an operator", psOperand, "cannot stand there"},
	psOtherOperator: {"an operator", 0, "is not known to be harmless"},
	psParens:        {"parentheses", psWordly | psName, "cannot stand there"},
	psSubexpression: {"a subexpression", psWordly | psName | psQuoted, "cannot stand there"},
	psQuotedText:    {"quotes, backticks or comments within $(…) within a string or a word", 0, "are read twice, each time in another way"},
	psHashTable:     {"a hash table", psArgument | psOperand, "cannot stand there"},
	psBlock:         {"a script block for something that is not known to take one", psTaken, "may be run later, elsewhere, or as text"},
	psSplat:         {"splatting", 0, "adds words that cannot be told"},
	psParameter:     {"a parameter", psArgument, "cannot stand there"},
	psVerbatim:      {"--%", 0, "ends PowerShell's own reading"},
	psSetter:        {"a parameter that sets a variable", 0, "changes a value behind the line's back"},
	psRedirection:   {"a redirection", psArgument | psOperand, "cannot stand there"},
	psInput:         {"<", 0, "PowerShell does not have"},
	psNumberWord:    {"a word that begins like a number", 0, readsApart},
	psPattern:       {"a pattern in a command's name", 0, "can be any file"},
	psGlued:         {"something right behind the end of a word", 0, "is read in different ways in different places"},
	psStray:         {"a character", 0, "cannot stand there"},
}

// psKeywords are the reserved words (about_Reserved_Words, and the table of
// tokenizer.cs). Those that are understood do nothing but order what stands in
// their parentheses and blocks.
var psKeywords = map[string]bool{
	"if": true, "elseif": true, "else": true, "foreach": true, "for": true, "while": true, "do": true, "until": true,
	"switch": true, "try": true, "catch": true, "finally": true, "return": true, "throw": true, "exit": true, "break": true, "continue": true,
	"function": false, "filter": false, "workflow": false, "class": false, "enum": false, "using": false, "param": false, "trap": false,
	"data": false, "begin": false, "process": false, "end": false, "dynamicparam": false, "clean": false, "configuration": false,
	"parallel": false, "sequence": false, "inlinescript": false, "define": false, "from": false, "var": false,
}

// psOperators are the operators between values, each also with c or i in
// front, and those before a value (about_Operators). Those of types (-as, -is)
// are not among them.
const (
	psOperators      = "eq ne gt ge lt le like notlike match notmatch contains notcontains in notin replace split join f and or xor band bor bxor shl shr"
	psUnaryOperators = "not bnot split csplit isplit join"
)

// psFreeVariables are the automatic variables that are plain values
// (about_Automatic_Variables). The others lead into PowerShell itself.
const psFreeVariables = "_ psitem true false null ? lastexitcode matches home pid pwd psscriptroot pscommandpath psversiontable psedition pshome psculture psuiculture iswindows islinux ismacos iscoreclr"

// psOtherVariables are the further automatic and preference variables, which
// are neither read nor assigned (about_Automatic_Variables,
// about_Preference_Variables, SpecialVariables.cs). So are all whose names
// begin with ps or end in preference.
const psOtherVariables = "$ ^ args input this error event eventargs eventsubscriber sender sourceargs sourceeventargs executioncontext host myinvocation stacktrace " +
	"nestedpromptlevel ofs outputencoding errorview shellid switch foreach profile enabledexperimentalfeatures currentlyexecutingcommand " +
	"maximumhistorycount maximumaliascount maximumdrivecount maximumerrorcount maximumfunctioncount maximumvariablecount formatenumerationlimit " +
	"verbosehelperrors transcript logcommandhealthevent logcommandlifecycleevent logenginehealthevent logenginelifecycleevent logproviderhealthevent " +
	"logproviderlifecycleevent logsettingsevent"

// psQuietPreferences are preferences that a line may set to one of
// psQuietValues: they decide what is shown, and whether an error ends the line.
const (
	psQuietPreferences = "erroractionpreference progresspreference warningpreference verbosepreference informationpreference debugpreference"
	psQuietValues      = "stop continue silentlycontinue ignore"
)

// psTakers are the commands that take script blocks and run them here and now,
// each object by each (about_Script_Blocks, and the commands' own pages).
const psTakers = "foreach-object where-object sort-object group-object measure-command"

// The parameters of ForEach-Object that are followed by blocks, by nothing, or
// by a value. Any other word names a member, which is called when it is a
// method.
const (
	psEachBlocks = "-begin -process -end -remainingscripts -parallel -asjob -usenewrunspace -verbose -debug -whatif -confirm"
	psEachValues = "-throttlelimit -timeoutseconds -inputobject -erroraction -ea -warningaction -wa -informationaction -infa"
)

// psSetters are the parameters, of all cmdlets or of some, that name a variable
// in which something is left (about_CommonParameters, Tee-Object,
// Invoke-WebRequest). psSetterAliases are their short forms.
var psSetters = strings.Fields("-outvariable -errorvariable -warningvariable -informationvariable -pipelinevariable -sessionvariable -responseheadersvariable -statuscodevariable")

const psSetterAliases = "-ov -ev -wv -iv -pv -sv -rhv"

// psGuard is what is known of commands that do more than a rule for their name
// says: a rule with a wildcard does not carry them unless it names them. Of
// those that change names or variables, no rule carries one.
type psGuard struct {
	commands string // names, or verbs with -*
	why      string
	kind     risk.Kind
	never    bool
}

// psGuards is written from the commands' own pages.
var psGuards = []psGuard{
	{"set-alias new-alias import-alias", "changes what a name means", risk.KindExec, true},
	{"set-variable new-variable clear-variable remove-variable", "sets a variable by its name", risk.KindState, true},
	{"add-type", "compiles and loads code", risk.KindExec, false},
	{"new-object", "makes an object of any type, with whatever its constructor does", risk.KindExec, false},
	{"invoke-item", "opens a file with the program that it belongs to", risk.KindExec, false},
	{"invoke-command enter-pssession new-pssession connect-pssession receive-pssession import-pssession", "runs commands in another session", risk.KindExec, false},
	{"start-job start-threadjob", "runs commands aside", risk.KindExec, false},
	{"register-*", "runs something when an event happens", risk.KindExec, false},
	{"set-psbreakpoint", "runs something when a line is reached", risk.KindExec, false},
	{"new-module import-module update-typedata update-formatdata add-member", "brings code into the session", risk.KindExec, false},
	{"invoke-history", "runs an earlier command again", risk.KindExec, false},
	{"invoke-cimmethod invoke-wmimethod set-wmiinstance new-ciminstance set-ciminstance", "calls the system's own objects", risk.KindExec, false},
	{"trace-command", "runs a command that is named by a parameter", risk.KindExec, false},
	{"set-item clear-item", "sets an alias, a function, a variable or an environment variable", risk.KindExec, false},
	{"new-psdrive", "gives a drive another meaning", risk.KindState, false},
}

// psReadingVerbs begin the names of cmdlets that change nothing in a drive.
const psReadingVerbs = "get test resolve select measure where sort group format foreach compare convertfrom convertto split join write out"

// psDrives are the drives, by their providers' names too, in which an item is a
// name's meaning (about_Providers).
var psDrives = []string{"alias:", "function:", "variable:", "env:", "alias::", "function::", "variable::", "environment::"}
