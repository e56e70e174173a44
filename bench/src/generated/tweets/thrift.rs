// Made by generate.py from what `thrift --gen rs` writes.
#![allow(unused_parens, unused_imports, clippy::all)]

use super::types::*;
use thrift::protocol::{TFieldIdentifier, TInputProtocol, TListIdentifier, TOutputProtocol, TSerializable};
use thrift::protocol::{TStructIdentifier, TType, field_id, verify_required_field_exists};

impl TSerializable for Mention {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Mention> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<String> = None;
        let mut f_2: Option<String> = None;
        let mut f_3: Option<i64> = None;
        let mut f_4: Option<Vec<i32>> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let val = i_prot.read_string()?;
                    f_1 = Some(val);
                }
                2 => {
                    let val = i_prot.read_string()?;
                    f_2 = Some(val);
                }
                3 => {
                    let val = i_prot.read_i64()?;
                    f_3 = Some(val);
                }
                4 => {
                    let list_ident = i_prot.read_list_begin()?;
                    let mut val: Vec<i32> = Vec::with_capacity(list_ident.size as usize);
                    for _ in 0..list_ident.size {
                        let list_elem_0 = i_prot.read_i32()?;
                        val.push(list_elem_0);
                    }
                    i_prot.read_list_end()?;
                    f_4 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Mention.screen_name", &f_1)?;
        verify_required_field_exists("Mention.name", &f_2)?;
        verify_required_field_exists("Mention.id", &f_3)?;
        verify_required_field_exists("Mention.indices", &f_4)?;
        let ret = Mention {
            screen_name: f_1.expect("auto-generated code should have checked for presence of required fields"),
            name: f_2.expect("auto-generated code should have checked for presence of required fields"),
            id: f_3.expect("auto-generated code should have checked for presence of required fields"),
            indices: f_4.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Mention");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("screen_name", TType::String, 1))?;
        o_prot.write_string(&self.screen_name)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("name", TType::String, 2))?;
        o_prot.write_string(&self.name)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("id", TType::I64, 3))?;
        o_prot.write_i64(self.id)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("indices", TType::List, 4))?;
        o_prot.write_list_begin(&TListIdentifier::new(TType::I32, self.indices.len() as i32))?;
        for e in &self.indices {
            o_prot.write_i32(*e)?;
        }
        o_prot.write_list_end()?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}

impl TSerializable for Url {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Url> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<String> = None;
        let mut f_2: Option<String> = None;
        let mut f_3: Option<String> = None;
        let mut f_4: Option<Vec<i32>> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let val = i_prot.read_string()?;
                    f_1 = Some(val);
                }
                2 => {
                    let val = i_prot.read_string()?;
                    f_2 = Some(val);
                }
                3 => {
                    let val = i_prot.read_string()?;
                    f_3 = Some(val);
                }
                4 => {
                    let list_ident = i_prot.read_list_begin()?;
                    let mut val: Vec<i32> = Vec::with_capacity(list_ident.size as usize);
                    for _ in 0..list_ident.size {
                        let list_elem_1 = i_prot.read_i32()?;
                        val.push(list_elem_1);
                    }
                    i_prot.read_list_end()?;
                    f_4 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Url.url", &f_1)?;
        verify_required_field_exists("Url.expanded_url", &f_2)?;
        verify_required_field_exists("Url.display_url", &f_3)?;
        verify_required_field_exists("Url.indices", &f_4)?;
        let ret = Url {
            url: f_1.expect("auto-generated code should have checked for presence of required fields"),
            expanded_url: f_2.expect("auto-generated code should have checked for presence of required fields"),
            display_url: f_3.expect("auto-generated code should have checked for presence of required fields"),
            indices: f_4.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Url");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("url", TType::String, 1))?;
        o_prot.write_string(&self.url)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("expanded_url", TType::String, 2))?;
        o_prot.write_string(&self.expanded_url)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("display_url", TType::String, 3))?;
        o_prot.write_string(&self.display_url)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("indices", TType::List, 4))?;
        o_prot.write_list_begin(&TListIdentifier::new(TType::I32, self.indices.len() as i32))?;
        for e in &self.indices {
            o_prot.write_i32(*e)?;
        }
        o_prot.write_list_end()?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}

impl TSerializable for Hashtag {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Hashtag> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<String> = None;
        let mut f_2: Option<Vec<i32>> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let val = i_prot.read_string()?;
                    f_1 = Some(val);
                }
                2 => {
                    let list_ident = i_prot.read_list_begin()?;
                    let mut val: Vec<i32> = Vec::with_capacity(list_ident.size as usize);
                    for _ in 0..list_ident.size {
                        let list_elem_2 = i_prot.read_i32()?;
                        val.push(list_elem_2);
                    }
                    i_prot.read_list_end()?;
                    f_2 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Hashtag.text", &f_1)?;
        verify_required_field_exists("Hashtag.indices", &f_2)?;
        let ret = Hashtag {
            text: f_1.expect("auto-generated code should have checked for presence of required fields"),
            indices: f_2.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Hashtag");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("text", TType::String, 1))?;
        o_prot.write_string(&self.text)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("indices", TType::List, 2))?;
        o_prot.write_list_begin(&TListIdentifier::new(TType::I32, self.indices.len() as i32))?;
        for e in &self.indices {
            o_prot.write_i32(*e)?;
        }
        o_prot.write_list_end()?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}

impl TSerializable for Entities {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Entities> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<Vec<Hashtag>> = None;
        let mut f_2: Option<Vec<Url>> = None;
        let mut f_3: Option<Vec<Mention>> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let list_ident = i_prot.read_list_begin()?;
                    let mut val: Vec<Hashtag> = Vec::with_capacity(list_ident.size as usize);
                    for _ in 0..list_ident.size {
                        let list_elem_3 = Hashtag::read_from_in_protocol(i_prot)?;
                        val.push(list_elem_3);
                    }
                    i_prot.read_list_end()?;
                    f_1 = Some(val);
                }
                2 => {
                    let list_ident = i_prot.read_list_begin()?;
                    let mut val: Vec<Url> = Vec::with_capacity(list_ident.size as usize);
                    for _ in 0..list_ident.size {
                        let list_elem_4 = Url::read_from_in_protocol(i_prot)?;
                        val.push(list_elem_4);
                    }
                    i_prot.read_list_end()?;
                    f_2 = Some(val);
                }
                3 => {
                    let list_ident = i_prot.read_list_begin()?;
                    let mut val: Vec<Mention> = Vec::with_capacity(list_ident.size as usize);
                    for _ in 0..list_ident.size {
                        let list_elem_5 = Mention::read_from_in_protocol(i_prot)?;
                        val.push(list_elem_5);
                    }
                    i_prot.read_list_end()?;
                    f_3 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Entities.hashtags", &f_1)?;
        verify_required_field_exists("Entities.urls", &f_2)?;
        verify_required_field_exists("Entities.user_mentions", &f_3)?;
        let ret = Entities {
            hashtags: f_1.expect("auto-generated code should have checked for presence of required fields"),
            urls: f_2.expect("auto-generated code should have checked for presence of required fields"),
            user_mentions: f_3.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Entities");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("hashtags", TType::List, 1))?;
        o_prot.write_list_begin(&TListIdentifier::new(TType::Struct, self.hashtags.len() as i32))?;
        for e in &self.hashtags {
            e.write_to_out_protocol(o_prot)?;
        }
        o_prot.write_list_end()?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("urls", TType::List, 2))?;
        o_prot.write_list_begin(&TListIdentifier::new(TType::Struct, self.urls.len() as i32))?;
        for e in &self.urls {
            e.write_to_out_protocol(o_prot)?;
        }
        o_prot.write_list_end()?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("user_mentions", TType::List, 3))?;
        o_prot.write_list_begin(&TListIdentifier::new(TType::Struct, self.user_mentions.len() as i32))?;
        for e in &self.user_mentions {
            e.write_to_out_protocol(o_prot)?;
        }
        o_prot.write_list_end()?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}

impl TSerializable for User {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<User> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<i64> = None;
        let mut f_2: Option<String> = None;
        let mut f_3: Option<String> = None;
        let mut f_4: Option<String> = None;
        let mut f_5: Option<String> = None;
        let mut f_6: Option<String> = None;
        let mut f_7: Option<i32> = None;
        let mut f_8: Option<i32> = None;
        let mut f_9: Option<i32> = None;
        let mut f_10: Option<String> = None;
        let mut f_11: Option<i32> = None;
        let mut f_12: Option<i32> = None;
        let mut f_13: Option<String> = None;
        let mut f_14: Option<bool> = None;
        let mut f_15: Option<i32> = None;
        let mut f_16: Option<String> = None;
        let mut f_17: Option<String> = None;
        let mut f_18: Option<String> = None;
        let mut f_19: Option<bool> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let val = i_prot.read_i64()?;
                    f_1 = Some(val);
                }
                2 => {
                    let val = i_prot.read_string()?;
                    f_2 = Some(val);
                }
                3 => {
                    let val = i_prot.read_string()?;
                    f_3 = Some(val);
                }
                4 => {
                    let val = i_prot.read_string()?;
                    f_4 = Some(val);
                }
                5 => {
                    let val = i_prot.read_string()?;
                    f_5 = Some(val);
                }
                6 => {
                    let val = i_prot.read_string()?;
                    f_6 = Some(val);
                }
                7 => {
                    let val = i_prot.read_i32()?;
                    f_7 = Some(val);
                }
                8 => {
                    let val = i_prot.read_i32()?;
                    f_8 = Some(val);
                }
                9 => {
                    let val = i_prot.read_i32()?;
                    f_9 = Some(val);
                }
                10 => {
                    let val = i_prot.read_string()?;
                    f_10 = Some(val);
                }
                11 => {
                    let val = i_prot.read_i32()?;
                    f_11 = Some(val);
                }
                12 => {
                    let val = i_prot.read_i32()?;
                    f_12 = Some(val);
                }
                13 => {
                    let val = i_prot.read_string()?;
                    f_13 = Some(val);
                }
                14 => {
                    let val = i_prot.read_bool()?;
                    f_14 = Some(val);
                }
                15 => {
                    let val = i_prot.read_i32()?;
                    f_15 = Some(val);
                }
                16 => {
                    let val = i_prot.read_string()?;
                    f_16 = Some(val);
                }
                17 => {
                    let val = i_prot.read_string()?;
                    f_17 = Some(val);
                }
                18 => {
                    let val = i_prot.read_string()?;
                    f_18 = Some(val);
                }
                19 => {
                    let val = i_prot.read_bool()?;
                    f_19 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("User.id", &f_1)?;
        verify_required_field_exists("User.name", &f_2)?;
        verify_required_field_exists("User.screen_name", &f_3)?;
        verify_required_field_exists("User.location", &f_4)?;
        verify_required_field_exists("User.description", &f_5)?;
        verify_required_field_exists("User.followers_count", &f_7)?;
        verify_required_field_exists("User.friends_count", &f_8)?;
        verify_required_field_exists("User.listed_count", &f_9)?;
        verify_required_field_exists("User.created_at", &f_10)?;
        verify_required_field_exists("User.favourites_count", &f_11)?;
        verify_required_field_exists("User.verified", &f_14)?;
        verify_required_field_exists("User.statuses_count", &f_15)?;
        verify_required_field_exists("User.lang", &f_16)?;
        verify_required_field_exists("User.profile_background_color", &f_17)?;
        verify_required_field_exists("User.profile_image_url_https", &f_18)?;
        verify_required_field_exists("User.default_profile", &f_19)?;
        let ret = User {
            id: f_1.expect("auto-generated code should have checked for presence of required fields"),
            name: f_2.expect("auto-generated code should have checked for presence of required fields"),
            screen_name: f_3.expect("auto-generated code should have checked for presence of required fields"),
            location: f_4.expect("auto-generated code should have checked for presence of required fields"),
            description: f_5.expect("auto-generated code should have checked for presence of required fields"),
            url: f_6,
            followers_count: f_7.expect("auto-generated code should have checked for presence of required fields"),
            friends_count: f_8.expect("auto-generated code should have checked for presence of required fields"),
            listed_count: f_9.expect("auto-generated code should have checked for presence of required fields"),
            created_at: f_10.expect("auto-generated code should have checked for presence of required fields"),
            favourites_count: f_11.expect("auto-generated code should have checked for presence of required fields"),
            utc_offset: f_12,
            time_zone: f_13,
            verified: f_14.expect("auto-generated code should have checked for presence of required fields"),
            statuses_count: f_15.expect("auto-generated code should have checked for presence of required fields"),
            lang: f_16.expect("auto-generated code should have checked for presence of required fields"),
            profile_background_color: f_17
                .expect("auto-generated code should have checked for presence of required fields"),
            profile_image_url_https: f_18
                .expect("auto-generated code should have checked for presence of required fields"),
            default_profile: f_19.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("User");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("id", TType::I64, 1))?;
        o_prot.write_i64(self.id)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("name", TType::String, 2))?;
        o_prot.write_string(&self.name)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("screen_name", TType::String, 3))?;
        o_prot.write_string(&self.screen_name)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("location", TType::String, 4))?;
        o_prot.write_string(&self.location)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("description", TType::String, 5))?;
        o_prot.write_string(&self.description)?;
        o_prot.write_field_end()?;
        if let Some(ref fld_var) = self.url {
            o_prot.write_field_begin(&TFieldIdentifier::new("url", TType::String, 6))?;
            o_prot.write_string(fld_var)?;
            o_prot.write_field_end()?
        }
        o_prot.write_field_begin(&TFieldIdentifier::new("followers_count", TType::I32, 7))?;
        o_prot.write_i32(self.followers_count)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("friends_count", TType::I32, 8))?;
        o_prot.write_i32(self.friends_count)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("listed_count", TType::I32, 9))?;
        o_prot.write_i32(self.listed_count)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("created_at", TType::String, 10))?;
        o_prot.write_string(&self.created_at)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("favourites_count", TType::I32, 11))?;
        o_prot.write_i32(self.favourites_count)?;
        o_prot.write_field_end()?;
        if let Some(fld_var) = self.utc_offset {
            o_prot.write_field_begin(&TFieldIdentifier::new("utc_offset", TType::I32, 12))?;
            o_prot.write_i32(fld_var)?;
            o_prot.write_field_end()?
        }
        if let Some(ref fld_var) = self.time_zone {
            o_prot.write_field_begin(&TFieldIdentifier::new("time_zone", TType::String, 13))?;
            o_prot.write_string(fld_var)?;
            o_prot.write_field_end()?
        }
        o_prot.write_field_begin(&TFieldIdentifier::new("verified", TType::Bool, 14))?;
        o_prot.write_bool(self.verified)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("statuses_count", TType::I32, 15))?;
        o_prot.write_i32(self.statuses_count)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("lang", TType::String, 16))?;
        o_prot.write_string(&self.lang)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("profile_background_color", TType::String, 17))?;
        o_prot.write_string(&self.profile_background_color)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("profile_image_url_https", TType::String, 18))?;
        o_prot.write_string(&self.profile_image_url_https)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("default_profile", TType::Bool, 19))?;
        o_prot.write_bool(self.default_profile)?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}

impl TSerializable for Tweet {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Tweet> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<String> = None;
        let mut f_2: Option<i64> = None;
        let mut f_3: Option<String> = None;
        let mut f_4: Option<String> = None;
        let mut f_5: Option<bool> = None;
        let mut f_6: Option<i64> = None;
        let mut f_7: Option<String> = None;
        let mut f_8: Option<User> = None;
        let mut f_9: Option<i32> = None;
        let mut f_10: Option<i32> = None;
        let mut f_11: Option<Entities> = None;
        let mut f_12: Option<bool> = None;
        let mut f_13: Option<String> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let val = i_prot.read_string()?;
                    f_1 = Some(val);
                }
                2 => {
                    let val = i_prot.read_i64()?;
                    f_2 = Some(val);
                }
                3 => {
                    let val = i_prot.read_string()?;
                    f_3 = Some(val);
                }
                4 => {
                    let val = i_prot.read_string()?;
                    f_4 = Some(val);
                }
                5 => {
                    let val = i_prot.read_bool()?;
                    f_5 = Some(val);
                }
                6 => {
                    let val = i_prot.read_i64()?;
                    f_6 = Some(val);
                }
                7 => {
                    let val = i_prot.read_string()?;
                    f_7 = Some(val);
                }
                8 => {
                    let val = User::read_from_in_protocol(i_prot)?;
                    f_8 = Some(val);
                }
                9 => {
                    let val = i_prot.read_i32()?;
                    f_9 = Some(val);
                }
                10 => {
                    let val = i_prot.read_i32()?;
                    f_10 = Some(val);
                }
                11 => {
                    let val = Entities::read_from_in_protocol(i_prot)?;
                    f_11 = Some(val);
                }
                12 => {
                    let val = i_prot.read_bool()?;
                    f_12 = Some(val);
                }
                13 => {
                    let val = i_prot.read_string()?;
                    f_13 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Tweet.created_at", &f_1)?;
        verify_required_field_exists("Tweet.id", &f_2)?;
        verify_required_field_exists("Tweet.text", &f_3)?;
        verify_required_field_exists("Tweet.source", &f_4)?;
        verify_required_field_exists("Tweet.truncated", &f_5)?;
        verify_required_field_exists("Tweet.user", &f_8)?;
        verify_required_field_exists("Tweet.retweet_count", &f_9)?;
        verify_required_field_exists("Tweet.favorite_count", &f_10)?;
        verify_required_field_exists("Tweet.entities", &f_11)?;
        verify_required_field_exists("Tweet.favorited", &f_12)?;
        verify_required_field_exists("Tweet.lang", &f_13)?;
        let ret = Tweet {
            created_at: f_1.expect("auto-generated code should have checked for presence of required fields"),
            id: f_2.expect("auto-generated code should have checked for presence of required fields"),
            text: f_3.expect("auto-generated code should have checked for presence of required fields"),
            source: f_4.expect("auto-generated code should have checked for presence of required fields"),
            truncated: f_5.expect("auto-generated code should have checked for presence of required fields"),
            in_reply_to_user_id: f_6,
            in_reply_to_screen_name: f_7,
            user: f_8.expect("auto-generated code should have checked for presence of required fields"),
            retweet_count: f_9.expect("auto-generated code should have checked for presence of required fields"),
            favorite_count: f_10.expect("auto-generated code should have checked for presence of required fields"),
            entities: f_11.expect("auto-generated code should have checked for presence of required fields"),
            favorited: f_12.expect("auto-generated code should have checked for presence of required fields"),
            lang: f_13.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Tweet");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("created_at", TType::String, 1))?;
        o_prot.write_string(&self.created_at)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("id", TType::I64, 2))?;
        o_prot.write_i64(self.id)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("text", TType::String, 3))?;
        o_prot.write_string(&self.text)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("source", TType::String, 4))?;
        o_prot.write_string(&self.source)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("truncated", TType::Bool, 5))?;
        o_prot.write_bool(self.truncated)?;
        o_prot.write_field_end()?;
        if let Some(fld_var) = self.in_reply_to_user_id {
            o_prot.write_field_begin(&TFieldIdentifier::new("in_reply_to_user_id", TType::I64, 6))?;
            o_prot.write_i64(fld_var)?;
            o_prot.write_field_end()?
        }
        if let Some(ref fld_var) = self.in_reply_to_screen_name {
            o_prot.write_field_begin(&TFieldIdentifier::new("in_reply_to_screen_name", TType::String, 7))?;
            o_prot.write_string(fld_var)?;
            o_prot.write_field_end()?
        }
        o_prot.write_field_begin(&TFieldIdentifier::new("user", TType::Struct, 8))?;
        self.user.write_to_out_protocol(o_prot)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("retweet_count", TType::I32, 9))?;
        o_prot.write_i32(self.retweet_count)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("favorite_count", TType::I32, 10))?;
        o_prot.write_i32(self.favorite_count)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("entities", TType::Struct, 11))?;
        self.entities.write_to_out_protocol(o_prot)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("favorited", TType::Bool, 12))?;
        o_prot.write_bool(self.favorited)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("lang", TType::String, 13))?;
        o_prot.write_string(&self.lang)?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}

impl TSerializable for Root {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Root> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<Vec<Tweet>> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let list_ident = i_prot.read_list_begin()?;
                    let mut val: Vec<Tweet> = Vec::with_capacity(list_ident.size as usize);
                    for _ in 0..list_ident.size {
                        let list_elem_6 = Tweet::read_from_in_protocol(i_prot)?;
                        val.push(list_elem_6);
                    }
                    i_prot.read_list_end()?;
                    f_1 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Root.value", &f_1)?;
        let ret = Root { value: f_1.expect("auto-generated code should have checked for presence of required fields") };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Root");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("value", TType::List, 1))?;
        o_prot.write_list_begin(&TListIdentifier::new(TType::Struct, self.value.len() as i32))?;
        for e in &self.value {
            e.write_to_out_protocol(o_prot)?;
        }
        o_prot.write_list_end()?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}
