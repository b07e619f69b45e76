"""Countries by two-letter code."""

import pytest

from domain.geography.countries import all_countries, country_choice, country_code, country_name


@pytest.mark.parametrize(("code", "name"), [("KW", "Kuwait"), ("us", "United States"), (" xk ", "Kosovo")])
def test_a_code_has_a_name_in_any_case(code: str, name: str) -> None:
    assert country_name(code) == name


@pytest.mark.parametrize(
    ("code", "text"),
    [
        *(("GB", "UK"), ("GB", "GB"), ("DE", "DE"), ("NL", "Holland"), ("GB", "England"), ("PS", "Gaza")),
        *(("TR", "Turkey"), ("CZ", "Czech Republic"), ("CI", "Ivory Coast"), ("LC", "Saint Lucia"), ("KR", "(Korea")),
    ],
)
def test_a_country_option_contains_the_codes_and_names_that_people_type(code: str, text: str) -> None:
    assert text in country_choice(code)


def test_an_unknown_code_is_its_own_name_and_no_code_has_no_name() -> None:
    assert country_name("zq") == "ZQ"
    assert country_name("") == ""
    assert country_name(None) == ""


@pytest.mark.parametrize(
    ("text", "code"),
    [("gb", "GB"), ("GBR", "GB"), ("UK", "GB"), ("united kingdom", "GB"), ("USA", "US"), ("Türkiye", "TR")],
)
def test_a_country_is_found_by_codes_and_name(text: str, code: str) -> None:
    assert country_code(text) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *(("Deutschland", "DE"), ("Allemagne", "DE"), ("España", "ES"), ("Países Bajos", "NL"), ("Frankrijk", "FR")),
        *(("England", "GB"), ("UAE", "AE"), ("Holland", "NL"), ("United States of America", "US"), ("Georgia", "GE")),
        *(("Turkey", "TR"), ("Hong Kong", "HK"), ("Bosnia and Herzegovina", "BA"), ("Trinidad And Tobago", "TT")),
        *(("The Bahamas", "BS"), ("Bahamas, The", "BS"), ("The Gambia", "GM"), ("the Netherlands", "NL")),
        *(("Hong Kong SAR", "HK"), ("Hong Kong (S.A.R.)", "HK"), ("Hong Kong SAR, China", "HK"), ("Macao", "MO")),
        *(("Macau SAR", "MO"), ("Hong Kong, China", "HK"), ("The UK", "GB"), ("U.S.A.", "US"), ("KSA", "SA")),
        *(("Republic of Singapore", "SG"), ("The Republic of the Philippines", "PH"), ("Sudan (the)", "SD")),
        *(("Kingdom of Saudi Arabia", "SA"), ("Republic of the Congo", "CG"), ("Holy See", "VA"), ("Burma", "MM")),
        *(("Bolivia, Plurinational State of", "BO"), ("Venezuela (Bolivarian Republic of)", "VE")),
        *(("Taiwan, Province of China", "TW"), ("Tanzania, United Republic of", "TZ"), ("China", "CN")),
        *(("Korea, Democratic People's Republic of", "KP"), ("Lao People's Democratic Republic", "LA")),
        *(("PR China", "CN"), ("P. R. China", "CN"), ("PRC", "CN"), ("P.R.C.", "CN"), ("RSA", "ZA"), ("PR", "PR")),
        *(("Democratic Republic of the Congo", "CD"), ("Ivory Coast", "CI"), ("Korea, Republic of", "KR")),
    ],
)
def test_a_country_is_found_by_foreign_and_common_names(text: str, code: str) -> None:
    assert country_code(text) == code


def test_an_ambiguous_foreign_name_is_read_as_the_english_name() -> None:
    assert {name: country_code(name) for name in all_countries().values()} == {
        name: code for code, name in all_countries().items()
    }


@pytest.mark.parametrize("text", [None, "", "zq", "Nowhereland", "the", "SAR", "The Republic of China"])
def test_text_that_is_not_a_country_has_no_code(text: str | None) -> None:
    assert country_code(text) is None


def test_only_countries_are_listed_in_the_order_of_their_names() -> None:
    countries = all_countries()
    assert list(countries.values()) == sorted(countries.values())
    assert {"EU", "UN", "ZZ", "XA", "001"}.isdisjoint(countries)
    assert len(countries) == 250
