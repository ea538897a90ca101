package shell_test

import (
	"testing"
)

func TestGuardedArchive(t *testing.T) {
	checkGuards(t, []guardCase{
		{"tar *", "tar xzf a.tgz -C ../x", "-C"},
		{"tar *", "tar --extr --directory=/etc -f a", "--directory"},
		{"tar *", "tar czf a.tgz -C /etc hosts", ""},
		{"tar *", "tar xzf a.tgz -C out", ""},
		{"tar *", "tar --use-compress-program=./evil -tf t.tar", "--use-compress-program"},
		{"tar *", "tar -tf t.tar --checkpoint-action exec=./x --checkpoint=1", "--checkpoint-action"},
		{"tar *", "tar --checkpoint-act=exec=./x --checkpoint=1 -cf /dev/null a", "--checkpoint-action"},
		{"tar *", "tar xf t.tar -P", "-P"},
		{"tar *", "tar -F ./evil -cMf x a", "-F"},
		{"tar *", "tar cIf ./evil t.tar a", "-I"},
		{"tar *", "tar xf t.tar --to-com='touch PWNED'", "--to-command"},
		{"tar *", "tar -cf /dev/null a -I./evil", "-I"},
		{"zip *", "zip z.zip a -T --unzip-command='sh -c x'", "--unzip-command"},
		{"zip *", "zip -TTx z.zip a", "-TT"},
		{"cpio *", "cpio -o --rsh-command=./evil -F x:y", "--rsh-command, -F"},
		{"tar *", "tar --list -f a.tar", ""},
		{"tar *", "tar --liste=x -cf a.tar b", "--listed-incremental"},
		{"tar *", "tar -tzf a.tgz", ""},
		{"tar *", "tar xzf a.tgz -C /tmp", ""},
		{"tar *", "tar --checkpoint=1 -tf x", ""},
		{"tar *", "tar czf x.tgz --exclude=y z", ""},
	})
}
