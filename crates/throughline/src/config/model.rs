//! Which model helps, and how much of it, as it is written and as it is meant.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use serde::Deserialize;
use throughline_engine::complete::{Choice, CommandSettings, ServerSettings};
use throughline_engine::settings::{Model, Prices};

use super::{duration, non_empty_env};

#[derive(Debug, Deserialize)]
pub(super) struct ModelTable {
    provider: ProviderName,
    name: Option<String>,
    url: Option<String>,
    api_key_env: Option<String>,
    command: Option<Vec<String>>,
    connect_timeout: String,
    timeout: String,
    daily_tokens: u64,
    prompt_tokens: u64,
    answer_tokens: u64,
    input_price: Option<f64>,
    output_price: Option<f64>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ProviderName {
    None,
    Anthropic,
    Openai,
    Command,
    Client,
}

const ANTHROPIC_URL: &str = "https://api.anthropic.com";
const ANTHROPIC_KEY: &str = "ANTHROPIC_API_KEY";

impl ModelTable {
    /// What is missing is found out by whoever uses the model: a wrong setting here must not stop the log.
    pub(super) fn meant(&self) -> Result<Model> {
        let choice = match self.provider {
            ProviderName::None => None,
            ProviderName::Anthropic => {
                Some(Choice::Anthropic(self.server(Some(ANTHROPIC_URL), Some(ANTHROPIC_KEY))?))
            }
            // There are many such servers: nothing is sent to one that was not named.
            ProviderName::Openai => Some(Choice::OpenAi(self.server(None, None)?)),
            ProviderName::Command => Some(Choice::Command(self.command())),
            ProviderName::Client => Some(Choice::Client),
        };
        Ok(Model {
            choice,
            timeout: duration("model.timeout", &self.timeout)?,
            daily_tokens: self.daily_tokens,
            prompt_tokens: self.prompt_tokens,
            answer_tokens: self.answer_tokens.max(1),
            prices: self.prices()?,
        })
    }

    fn server(&self, url: Option<&str>, key: Option<&str>) -> Result<ServerSettings> {
        Ok(ServerSettings {
            base_url: self.url.as_deref().or(url).unwrap_or_default().to_owned(),
            model: self.name.clone().unwrap_or_default(),
            api_key: self.api_key_env.as_deref().or(key).and_then(non_empty_env),
            connect_timeout: duration("model.connect_timeout", &self.connect_timeout)?,
        })
    }

    fn command(&self) -> CommandSettings {
        let mut words = self.command.clone().unwrap_or_default().into_iter();
        CommandSettings {
            program: words.next().map(PathBuf::from).unwrap_or_default(),
            arguments: words.collect(),
        }
    }

    fn prices(&self) -> Result<Option<Prices>> {
        let named = [("input_price", self.input_price), ("output_price", self.output_price)];
        for (name, price) in named {
            if price.is_some_and(|price| !(price.is_finite() && price >= 0.0)) {
                return Err(anyhow!("model.{name} must be 0 or more, for a million tokens"));
            }
        }
        let is_known = self.input_price.is_some() || self.output_price.is_some();
        let prices = Prices {
            input: self.input_price.unwrap_or_default(),
            output: self.output_price.unwrap_or_default(),
        };
        Ok(is_known.then_some(prices))
    }
}
