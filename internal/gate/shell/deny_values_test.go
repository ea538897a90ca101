package shell_test

import "testing"

func TestOptionsBeforeSubcommandsHideNothing(t *testing.T) {
	for _, c := range []struct{ rule, command string }{
		{"npm publish *", "npm --json true publish"}, {"npm publish *", "npm --access public publish"}, {"npm publish *", "npm -access public publish"}, {"npm publish *", "npm --tag=x --no-git-tag-version false publish"},
		{"npm publish *", "npm pu"}, {"npm publish *", "npm publi --tag x"}, {"npm unpublish *", "npm unp x"}, {"npm install *", "npm insta x"}, {"npm uninstall *", "npm uni x"},
		{"npm publish *", "npm --loglevel silly publish"}, {"npm publish *", "npm --log silly pub"}, {"npm publish *", "npm ---tag x publish"},
		{"just deploy *", "just -f j deploy"}, {"just deploy *", "just --set a b deploy"}, {"just deploy *", "just --dotenv-path x build deploy"}, {"task deploy *", "task -t T.yml deploy"}, {"task deploy *", "task -d x build deploy"},
		{"gradle publish *", "gradle -p sub publish"}, {"./gradlew publish *", "./gradlew -p sub clean publish"}, {"turbo run deploy *", "turbo --cwd x run deploy"}, {"turbo deploy *", "turbo --cwd x deploy"},
		{"alembic downgrade *", "alembic -c x.ini downgrade base"}, {"alembic downgrade *", "alembic --conf x.ini -x a=b downgrade base"}, {"supabase db reset *", "supabase --workdir x db reset"},
		{"aws s3 rm *", "aws --out json s3 rm x"}, {"aws s3 rm *", "aws --prof p --reg r s3 rm x"}, {"apt-get install *", "apt-get -P x install y"}, {"apt-get install *", "apt-get -qqt x install y"},
		{"make deploy *", "make V=1 deploy"}, {"make deploy *", "make -j 4 deploy"}, {"make deploy *", "make test deploy"}, {"make deploy *", "make -C x -k all deploy"}, {"mvn deploy *", "mvn -pl a clean deploy"},
		{"rake db:drop *", "rake -s x db:drop"}, {"netlify deploy *", "netlify --auth x deploy"}, {"flyway clean *", "flyway --foo bar clean"}, {"mytool deploy *", "mytool --env prod deploy"},
		{"mytool deploy *", "mytool --verbose --env prod --x y deploy"}, {"mytool deploy *", "mytool --env prod --quiet deploy"}, {"docker push *", "docker -H h push x"}, {"docker push *", "docker --unknown v push x"},
		{"git push *", "git send-pack o b"}, {"git push *", "git subtree push --prefix x o b"}, {"git push *", "git lfs push o"}, {"git push *", "git -C x annex sync"}, {"git push --force *", "git send-pack --force o b"},
		{"rm -rf x", "rm -rf -- x"}, {"git push origin main", "git push -- origin main"}, {"yarn", "yarn --"}, {"reboot", "reboot --"}, {"npm publish", "npm publish --"}, {"npm publish", "npm --json publish --"},
		{"hg push *", "hg pus"}, {"hg push *", "hg -R x pus"},
	} {
		if !denies(c.rule, c.command) {
			t.Errorf("%q does not stop %q", c.rule, c.command)
		}
	}
	for _, c := range []struct{ rule, command string }{
		{"npm publish *", "npm --silent run publish"}, {"npm publish *", "npm p"}, {"npm publish *", "npm pack"}, {"git push *", "git --no-pager stash push"}, {"git push *", "git subtree pull o b"},
		{"git checkout -- *", "git checkout main"}, {"mytool deploy *", "mytool --verbose build deploy"}, {"mytool deploy *", "mytool build deploy"}, {"docker push *", "docker --debug image ls push"},
		{"kubectl delete *", "kubectl -n x get delete"}, {"yarn", "yarn install"}, {"make deploy *", "make test"},
	} {
		if denies(c.rule, c.command) {
			t.Errorf("%q stops %q", c.rule, c.command)
		}
	}
}
