//! Reads the vectors out of an answer: `{"data": [{"index": 0, "embedding": [0.1, …]}, …]}`.

use serde_json::Value as Json;

type Wrong = String;

/// As many unit vectors as texts, in the order of the texts.
pub(super) fn vectors(answer: &[u8], texts: usize) -> Result<Vec<Vec<f32>>, Wrong> {
    let mut answer: Json =
        serde_json::from_slice(answer).map_err(|_| "it is not JSON: see base_url".to_owned())?;
    let Json::Array(entries) = answer["data"].take() else {
        return Err("it has no list `data`: see base_url".to_owned());
    };
    if entries.len() != texts {
        return Err(format!("{} vectors for {texts} texts: try a smaller batch", entries.len()));
    }
    let mut vectors = vec![None; texts];
    for (position, entry) in entries.iter().enumerate() {
        let index = entry["index"].as_u64().map_or(position, |index| index as usize);
        let place = vectors.get_mut(index).filter(|place| place.is_none());
        *place
            .ok_or_else(|| format!("the index {index} is there twice or too large: try a smaller batch"))? =
            Some(vector(entry)?);
    }
    Ok(vectors.into_iter().flatten().collect())
}

fn vector(entry: &Json) -> Result<Vec<f32>, Wrong> {
    let numbers = entry["embedding"].as_array().ok_or("an entry has no list `embedding`: see base_url")?;
    let numbers: Option<Vec<f64>> = numbers.iter().map(Json::as_f64).collect();
    let numbers = numbers.ok_or("a vector holds something that is no number: see base_url")?;
    let length = numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
    if !(length.is_finite() && length > 0.0) {
        return Err("a vector is empty, zero or not finite: try another model".to_owned());
    }
    Ok(numbers.into_iter().map(|number| (number / length) as f32).collect())
}
