package shell

const writesThere = "writes the named file or folder"
