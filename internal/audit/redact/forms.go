package redact

import (
	"context"
	"github.com/pigate/pigate/internal/audit/redact/clue"
	"strings"
)

// forms are tokens by their beginning and the least number of letters after it,
// from the documentation of the services that give them out. Most are known to
// the rules of gitleaks too, but with a fixed length, and only where no other
// letter stands beside them.
var forms = []struct {
	begin string
	kind  string
	least int
}{
	{"AGE-SECRET-KEY-", "age-secret-key", 40},
	{"AGE-PLUGIN-", "age-secret-key", 40},
	{"eyJ", "jwt", 30},
	{"ghp_", "github-pat", 16},
	{"gho_", "github-oauth", 16},
	{"ghu_", "github-app-token", 16},
	{"ghs_", "github-app-token", 16},
	{"ghr_", "github-refresh-token", 16},
	{"github_pat_", "github-fine-grained-pat", 20},
	{"glpat-", "gitlab-pat", 16},
	{"gldt-", "gitlab-deploy-token", 16},
	{"glrt-", "gitlab-runner-authentication-token", 16},
	{"glcbt-", "gitlab-cicd-job-token", 16},
	{"glptt-", "gitlab-ptt", 16},
	{"glsoat-", "gitlab-scim-token", 16},
	{"xoxb-", "slack-bot-token", 16},
	{"xoxp-", "slack-user-token", 16},
	{"xoxa-", "slack-legacy-workspace-token", 16},
	{"xoxr-", "slack-legacy-workspace-token", 16},
	{"xoxs-", "slack-legacy-token", 16},
	{"xoxc-", "slack-user-token", 16},
	{"xoxd-", "slack-user-token", 16},
	{"xoxe-", "slack-config-refresh-token", 16},
	{"xapp-", "slack-app-token", 16},
	{"sk-ant-", "anthropic-api-key", 16},
	{"sk-proj-", "openai-api-key", 16},
	{"sk-svcacct-", "openai-api-key", 16},
	{"sk-admin-", "openai-api-key", 16},
	{"sk-or-v1-", "openrouter-api-key", 16},
	{"sk-", "api-key", 20},
	{"gsk_", "groq-api-key", 20},
	{"xai-", "xai-api-key", 20},
	{"r8_", "replicate-api-token", 20},
	{"pplx-", "perplexity-api-key", 16},
	{"sk_live_", "stripe-access-token", 10},
	{"sk_test_", "stripe-access-token", 10},
	{"rk_live_", "stripe-access-token", 10},
	{"rk_test_", "stripe-access-token", 10},
	{"whsec_", "stripe-webhook-secret", 16},
	{"hf_", "huggingface-access-token", 20},
	{"npm_", "npm-access-token", 20},
	{"pypi-", "pypi-upload-token", 20},
	{"dop_v1_", "digitalocean-pat", 20},
	{"doo_v1_", "digitalocean-access-token", 20},
	{"dor_v1_", "digitalocean-refresh-token", 20},
	{"shpat_", "shopify-access-token", 16},
	{"shpca_", "shopify-custom-access-token", 16},
	{"shpss_", "shopify-shared-secret", 16},
	{"SG.", "sendgrid-api-token", 24},
	{"AIza", "gcp-api-key", 24},
	{"ya29.", "gcp-access-token", 20},
	{"GOCSPX-", "gcp-client-secret", 16},
	{"lin_api_", "linear-api-key", 16},
	{"ntn_", "notion-api-token", 20},
	{"secret_", "notion-api-token", 30},
	{"dapi", "databricks-api-token", 24},
	{"dckr_pat_", "docker-pat", 16},
	{"dckr_oat_", "docker-oat", 16},
	{"glsa_", "grafana-service-account-token", 16},
	{"glc_", "grafana-cloud-api-token", 20},
	{"pul-", "pulumi-api-token", 24},
	{"hvs.", "vault-service-token", 16},
	{"hvb.", "vault-batch-token", 16},
	{"hvr.", "vault-recovery-token", 16},
	{"tskey-", "tailscale-key", 16},
	{"figd_", "figma-token", 16},
	{"sntrys_", "sentry-org-token", 20},
	{"sntryu_", "sentry-user-token", 20},
	{"sqp_", "sonar-api-token", 20},
	{"squ_", "sonar-api-token", 20},
	{"sqa_", "sonar-api-token", 20},
	{"ATATT3", "atlassian-api-token", 20},
	{"ATBB", "bitbucket-token", 24},
	{"CCIPAT_", "circleci-token", 20},
	{"NRAK-", "new-relic-user-api-key", 16},
	{"nfp_", "netlify-access-token", 20},
	{"rnd_", "render-api-key", 20},
	{"sbp_", "supabase-token", 20},
	{"sb_secret_", "supabase-secret-key", 16},
	{"pscale_tkn_", "planetscale-api-token", 16},
	{"pscale_pw_", "planetscale-password", 16},
	{"rubygems_", "rubygems-api-token", 20},
	{"xkeysib-", "sendinblue-api-token", 20},
	{"key-", "mailgun-private-api-token", 32},
	{"pat", "airtable-personnal-access-token", 60},
	{"1//0", "gcp-refresh-token", 12},
	{"fo1_", "flyio-access-token", 20},
	{"fm2_", "flyio-access-token", 20},
	{"tvly-", "tavily-api-key", 16},
	{"EAAC", "facebook-page-access-token", 40},
	{"ops_ey", "1password-service-account-token", 40},
	{"vercel_", "vercel-token", 20},
	{"cio", "crates-io-token", 28},
	{"PMAK-", "postman-api-token", 24},
	{"b3BlbnNzaC1rZXktdj", "private-key", 40},
}

var formWords = func() *clue.Keywords {
	var words []string
	for _, f := range forms {
		words = append(words, strings.ToLower(f.begin))
	}
	return clue.NewKeywords(words)
}()

// tokens finds what begins like one of the forms and goes on like a secret.
func tokens(_ context.Context, s string) []clue.Span {
	var found []clue.Span
	done := 0 // hits before it are within what was looked at
	formWords.Each(clue.LowerASCII(s), func(word, at int) {
		f := forms[word]
		if !strings.HasPrefix(s[at:], f.begin) || at > 0 && (clue.IsAlnum(s[at-1]) || s[at-1] == '_' || s[at-1] == '-') {
			return
		}
		if at < done {
			return
		}
		end := at + len(f.begin)
		for end < len(s) && (clue.IsAlnum(s[end]) || strings.IndexByte("_-.+/~", s[end]) >= 0) {
			end++
		}
		for end < len(s) && s[end] == '=' {
			end++
		}
		for end > at && strings.IndexByte(".-/", s[end-1]) >= 0 {
			end--
		}
		if end-at > clue.MaxValue {
			done = end
		}
		body := s[at+min(len(f.begin), end-at) : end]
		switch {
		case len(body) < f.least, clue.Unfilled(s[at:end]):
			return
		case f.kind == "jwt":
			if strings.Count(body, ".") == 0 {
				return
			}
		case !clue.Random(body, min(f.least, 16)):
			return
		}
		found, done = append(found, clue.Span{Start: at, End: end, Kind: f.kind, Rank: clue.ByShape}), end
	})
	return found
}
